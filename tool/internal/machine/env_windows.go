package machine

import "golang.org/x/sys/windows"

const notTold = "not told by windows"

func describeOS(e *Env) {
	const allGroups = 0xffff // ALL_PROCESSOR_GROUPS
	if n := windows.GetActiveProcessorCount(allGroups); n > 0 {
		e.LogicalCPUs = int(n)
	}
}
