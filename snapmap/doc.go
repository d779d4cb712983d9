// Package snapmap is a draft.
package snapmap
