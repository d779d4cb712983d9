// Package help has the goroutines that help others with their work, and decides
// when they are woken, who pays for them, and when they leave. It is the only user
// of runtime/metrics. At rest it costs nothing: there is no helper, and no timer.
package help
