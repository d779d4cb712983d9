package heat

import "sync"

// One map serves all packages of an analysis.
var cache struct {
	sync.Mutex
	file string
	m    *Map
}

func cached(file string) (*Map, error) {
	cache.Lock()
	defer cache.Unlock()
	if cache.m == nil || cache.file != file {
		m, err := Read(file)
		if err != nil {
			return nil, err
		}
		cache.file, cache.m = file, m
	}
	return cache.m, nil
}
