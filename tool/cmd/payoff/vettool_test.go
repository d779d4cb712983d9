package main

import (
	"strings"
	"testing"
)

// The flags of a fix tool say which checks run, as package unitchecker has it.
func TestToolFlags(t *testing.T) {
	for _, tt := range []struct {
		args          string
		fixes         bool
		rwtiny, hotsl bool
	}{
		{"vet.cfg", false, true, true},
		{"-fix vet.cfg", true, true, true},
		{"-fix=false vet.cfg", false, true, true},
		{"-fix -diff -rwtiny vet.cfg", true, true, false},
		{"--fix -rwtiny=true -hotslot=false vet.cfg", true, true, false},
		{"-fix -rwtiny=false vet.cfg", true, false, true},
		{"-fix -heat.hints vet.cfg", true, true, true},
		{"-fix -heat.run=fix vet.cfg", true, true, true},
	} {
		fixes, chosen := toolFlags(strings.Fields(tt.args))
		if fixes != tt.fixes || chosen("rwtiny") != tt.rwtiny || chosen("hotslot") != tt.hotsl {
			t.Errorf("toolFlags(%s) = %t, rwtiny %t, hotslot %t, want %t, %t, %t", tt.args, fixes, chosen("rwtiny"), chosen("hotslot"), tt.fixes, tt.rwtiny, tt.hotsl)
		}
	}
}
