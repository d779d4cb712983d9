package jsonreflect

// An OpenReading is a Reading that leaves open what its span is.
type OpenReading struct {
	Station string
	Channel int
	Tags    []string
	Serial  uint64
	Unit    string
	Remark  string
	Raw     []byte
	Span    interface{ Width() int64 }
}
