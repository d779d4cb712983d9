package snapmap

// SetHash makes maps that are made from now on use only these bits of a hash, until
// what it returns is called.
func SetHash(mask uint64) (restore func()) {
	testMask = mask
	return func() { testMask = ^uint64(0) }
}
