package instr

import "testing"

func TestBlame(t *testing.T) {
	mem := func(k Kind, text string, regs ...int) inst {
		return inst{kind: k, operand: operand{text: text, regs: regs}}
	}
	stack := inst{kind: Store, operand: operand{text: "0x8(SP)", stack: true}}
	compute := inst{kind: Compute}
	jump := func(to int) inst { return inst{kind: Branch, target: uint64(to) + 1} }
	always := func(to int) inst { return inst{kind: Branch, target: uint64(to) + 1, stops: true} }
	nop := inst{kind: Compute, nop: true}
	load, store, locked := mem(Load, "(AX)", 0), mem(Store, "(BX)", 3), mem(Locked, "(CX)", 1)
	pause, call := inst{kind: Pause}, inst{kind: Call}

	for _, c := range []struct {
		name  string
		insts []inst
		at    int
		want  int
	}{
		{"the one before", []inst{compute, locked, compute}, 2, 1},
		{"the one before, though the next touches memory", []inst{compute, locked, load}, 2, 1},
		{"the one at the address", []inst{compute, compute, load}, 2, 2},
		{"the last but one", []inst{locked, compute, compute}, 2, 0},
		{"not three back", []inst{locked, compute, compute, compute}, 3, 2},
		{"over padding and jumps", []inst{locked, nop, jump(0), compute}, 3, 0},
		{"the stack is private", []inst{compute, stack, load}, 2, 2},
		{"nothing but the stack", []inst{compute, stack, compute}, 2, 1},
		{"a call hides what was before", []inst{locked, call, compute}, 2, 1},
		{"not across a call", []inst{locked, call, compute, compute}, 3, 2},
		{"the wait of a spin lock", []inst{compute, pause, compute}, 2, 1},
		{"top of a loop: what ends its body", []inst{load, compute, store, jump(1)}, 1, 2},
		{"the top of the function: its caller", []inst{compute, compute, locked, always(0)}, 0, 0},
		{"the one at the top of the function", []inst{load, compute}, 0, 0},
		{"after a jump: what leads here", []inst{load, jump(4), compute, always(0), compute}, 4, 0},
		{"after a jump that nothing leads past", []inst{locked, always(0), compute}, 2, 2},
		{"over three of padding", []inst{locked, nop, nop, nop, compute}, 4, 0},
		{"not over four", []inst{locked, nop, nop, nop, nop, compute}, 5, 5},
		{"a jump to itself", []inst{locked, jump(1)}, 1, 1},
		{"a loop of jumps ends", []inst{compute, always(2), always(1), compute}, 1, 1},
	} {
		insts := append([]inst(nil), c.insts...)
		for i := range insts {
			insts[i].addr, insts[i].size = uint64(i)+1, 1
		}
		if got := blame(insts, c.at); got != c.want {
			t.Errorf("%s: blame(%d) = %d, want %d", c.name, c.at, got, c.want)
		}
	}
}

func TestUpdates(t *testing.T) {
	load := inst{kind: Load, operand: operand{text: "(AX)", regs: []int{0}}, writes: []int{1}}
	store := inst{kind: Store, operand: operand{text: "(AX)", regs: []int{0}}}
	add := inst{kind: Compute, writes: []int{1}}
	moves := load
	moves.moves = true
	on := store
	on.moves = true
	other := store
	other.operand.text = "0x8(AX)"
	for _, c := range []struct {
		name  string
		insts []inst
		want  bool
	}{
		{"load, store", []inst{load, store}, true},
		{"load, add, store", []inst{load, add, store}, true},
		{"three apart", []inst{load, add, add, store}, true},
		{"four apart", []inst{load, add, add, add, store}, false},
		{"another address", []inst{load, add, other}, false},
		{"the register is another since", []inst{load, {kind: Compute, writes: []int{0}}, store}, false},
		{"the load itself changed it", []inst{{kind: Load, operand: load.operand, writes: []int{0}}, store}, false},
		{"the load moved on", []inst{moves, add, store}, false},
		{"the store moved on", []inst{load, add, on}, false},
		{"a jump between", []inst{load, {kind: Branch}, store}, false},
		{"a call between", []inst{load, {kind: Call}, store}, false},
	} {
		if got := updates(c.insts, len(c.insts)-1); got != c.want {
			t.Errorf("%s: the store updates = %t, want %t", c.name, got, c.want)
		}
		if got := updates(c.insts, 0); got != c.want {
			t.Errorf("%s: the load updates = %t, want %t", c.name, got, c.want)
		}
	}
}
