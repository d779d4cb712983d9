//go:build gc && !goroutines_unknown

#include "textflag.h"

// func ID() uintptr
TEXT ·ID(SB), NOSPLIT, $0-4
	MOVL (TLS), AX
	MOVL AX, ret+0(FP)
	RET
