//go:build gc

#include "textflag.h"

// func id() uintptr
TEXT ·id(SB), NOSPLIT, $0-4
	MOVL (TLS), AX
	MOVL AX, ret+0(FP)
	RET
