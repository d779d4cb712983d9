package snapmap

import "github.com/gopayoff/payoff/internal/keyhash"

// A hasher is what a map knows of its types, and the seeds of its hashes. It never
// changes, so that maps and views that share pages share it.
type hasher struct {
	keyhash.Hasher
	flat  bool // pages are flat
	value valueKind
}

// testMask is the mask of hashers made from now on, and flatPages whether pages may be
// flat; only tests write them.
var (
	testMask  = ^uint64(0)
	flatPages = true
)

func newHasher[K comparable, V any]() *hasher {
	x := &hasher{Hasher: *keyhash.New[K](testMask), value: kindOf[V]()}
	x.flat = x.Kind == keyhash.Word && isFlat[K, V]() && flatPages
	return x
}

// hash returns the hash of key, or panics as the built-in map does.
func hash[K comparable](x *hasher, key K) uint64 { return keyhash.Hash(&x.Hasher, key) }

// checkKey panics where the built-in map does, for want of a hash.
func checkKey[K comparable](key K) { _ = (map[K]struct{})(nil)[key] }
