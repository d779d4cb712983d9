//go:build gc && !goroutines_unknown

#include "textflag.h"

// func ID() uintptr
TEXT ·ID(SB), NOSPLIT, $0-8
	MOVD g, ret+0(FP)
	RET
