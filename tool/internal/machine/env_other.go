//go:build !linux && !darwin && !windows

package machine

import "runtime"

const notTold = "not told by " + runtime.GOOS

func describeOS(*Env) {}
