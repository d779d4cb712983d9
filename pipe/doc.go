// Package pipe runs pipelines.
package pipe
