package a

import c "context"

// The type is declared in another file, which calls the package otherwise.
func far() error {
	ctx, cancel := c.WithTimeout(background(), 1) // want "context.WithTimeout"
	defer cancel()
	return ctx.Err()
}
