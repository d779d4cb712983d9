package catalog

var Reflection = enter(Cause{
	Slug:  "reflection",
	Part:  "code",
	Title: "Reflection per item",
	What: prose(`
Packages encoding/json, fmt and reflect learn at run time, for every value, what the
compiler knew. They walk types, call through tables that cannot be inlined and put
values into interfaces, which often allocates. It runs in
parallel well enough, so concurrency looks good: several processors do what one
could.`),
	Looks: prose(`
The factors may all be in order, since base and variant pay the same. The CPU profile
has encoding/json, fmt or reflect above much of its samples, with allocation and maps
below them. Nothing of it is in the trace.`),
	Evidence: []string{
		"processor time in reflect, fmt, encoding and template packages beyond the base's, with all they call, at a line of the user's code",
	},
	Before: source(`
type point struct{ X, Y int }

func encodeReflecting(points []point) ([]byte, error) {
	var out []byte
	for _, p := range points {
		line, err := json.Marshal(p)
		if err != nil {
			return nil, err
		}
		out = append(append(out, line...), '\n')
	}
	return out, nil
}
`),
	After: source(`
func encodeDirectly(points []point) []byte {
	var out []byte
	for _, p := range points {
		out = append(out, "{\"X\":"...)
		out = strconv.AppendInt(out, int64(p.X), 10)
		out = append(out, ",\"Y\":"...)
		out = strconv.AppendInt(out, int64(p.Y), 10)
		out = append(out, "}\n"...)
	}
	return out
}
`),
	Do: "Encode the hot types without reflection, by hand or by generated code",
	Wrong: prose(`
When it is not hot: code that knows each field has to be changed with each field.
Strings need escaping, and a float or a time its exact form; a generator that is
tested is better than a quick hand. When the other side can take another format, a
binary one saves more than any encoder of this one. Passing json.Marshal a pointer
instead of a large value saves a copy; begin there.`),
	Cures: []string{"strconv.AppendInt", "strconv.AppendQuote", "encoding.TextAppender", "encoding/binary.Append"},
	See: []string{
		"https://bravenewgeek.com/so-you-wanna-go-fast/",
		"https://go.dev/blog/jsonv2-exp",
	},
})
