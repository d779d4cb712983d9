package machine

import "os"

const notTold = "not readable"

func describeOS(e *Env) { describeLinux(e, os.DirFS("/")) }
