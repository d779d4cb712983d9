//go:build never

package tags

func other() []byte { return buffers.Get().([]byte) }
