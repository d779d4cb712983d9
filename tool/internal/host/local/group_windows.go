package local

import (
	"os/exec"
	"unsafe"

	"golang.org/x/sys/windows"
)

// A group is a process with all that it starts: a job object. Its last handle
// is ours, so the system ends the job when payoff dies.
type group struct {
	cmd *exec.Cmd
	job windows.Handle // 0 where there could be none
}

// start starts cmd in a job of its own. What cmd starts before it is put into
// the job stays outside; a test binary takes longer than that to get to main.
func start(cmd *exec.Cmd) (*group, error) {
	g := &group{cmd: cmd}
	if err := cmd.Start(); err != nil {
		return g, err
	}
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return g, nil
	}
	limits := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{
		BasicLimitInformation: windows.JOBOBJECT_BASIC_LIMIT_INFORMATION{LimitFlags: windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE},
	}
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation, uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits)))
	if err == nil {
		err = cmd.Process.WithHandle(func(h uintptr) { err = windows.AssignProcessToJobObject(job, windows.Handle(h)) })
	}
	if err != nil {
		windows.CloseHandle(job)
		return g, nil
	}
	g.job = job
	return g, nil
}

func (g *group) quit() { g.kill() }

func (g *group) kill() {
	if g.job == 0 {
		g.cmd.Process.Kill()
		return
	}
	windows.TerminateJobObject(g.job, 1)
}

// accounting is the system's JOBOBJECT_BASIC_ACCOUNTING_INFORMATION.
type accounting struct {
	userTime, kernelTime, periodUserTime, periodKernelTime int64
	faults, processes, active, terminated                  uint32
}

// end ends what the finished process left running and reports whether there
// was anything.
func (g *group) end() bool {
	if g.job == 0 {
		return false
	}
	var a accounting
	err := windows.QueryInformationJobObject(g.job, windows.JobObjectBasicAccountingInformation, uintptr(unsafe.Pointer(&a)), uint32(unsafe.Sizeof(a)), nil)
	windows.TerminateJobObject(g.job, 1)
	windows.CloseHandle(g.job)
	return err == nil && a.active > 0
}
