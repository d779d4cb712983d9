package i

type rule struct{ pattern, name string }

// A Page has what it shows in a struct.
type Page struct {
	cfg  config
	hits int // of all
}
