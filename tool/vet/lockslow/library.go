package lockslow

import (
	"go/types"
	"regexp"
	"strings"

	"github.com/gopayoff/payoff/tool/vet/uses"
)

// slow matches the functions and methods of the standard library that take long: path,
// type and name, as in "os File.Read" and "os .Open".
var slow = regexp.MustCompile(`^(` + strings.Join([]string{
	`encoding(/\w+)? \w*\.(Marshal|MarshalIndent|Unmarshal|Encode|EncodeToString|Decode|DecodeString|EncodeElement|DecodeElement|ReadAll|WriteAll)`,
	`encoding/binary \w*\.(Read|Write|Append)`,
	`compress/\w+ \w*\.(Write|Read|Close|Flush)`,
	`crypto(/\w+)? \w*\.(Sum\w*|Sign|Verify|Seal|Open|EncryptOAEP|DecryptOAEP|SignPKCS1v15|VerifyPKCS1v15|GenerateKey)`,
	`(html|text)/template \w*\.(Execute|ExecuteTemplate)`,
	`regexp \.(Compile|MustCompile)`,
	`bufio \w*\.(Flush|ReadString|ReadLine|ReadBytes|Scan)`,
	`database/sql \w*\.((Query|Exec)\w*|Scan|Ping|PingContext|Next|Commit|Rollback|Begin|BeginTx|Prepare|PrepareContext)`,
	`fmt \.(Fprint|Print|Fscan|Scan)\w*`,
	`io \.(Copy|CopyN|CopyBuffer|WriteString|ReadAll|ReadFull|ReadAtLeast)`,
	`log(/slog)? \w*\.(Print|Fatal|Panic|Output|Debug|Info|Warn|Error|Log)\w*`,
	`net \w*\.((Dial|Lookup|Resolve)\w*|Read|Write|ReadFrom|WriteTo|Accept|Close)`,
	`net/http (Client)?\.(Get|Head)`,
	`net/http \w*\.(Do|Post|PostForm|RoundTrip|ListenAndServe|Serve|Shutdown)`,
	`net/http ResponseWriter\.Write`,
	`os \.(ReadFile|Open|OpenFile|Stat|Lstat|ReadDir|Readlink|WriteFile|Create\w*|Remove\w*|Rename|Mkdir\w*|Truncate|Link|Symlink|Chmod|Chtimes|CopyFS)`,
	`os File\.(Read|Write|Seek|Stat|Sync|Truncate|Close|Chmod)\w*`,
	`os/exec \w*\.(Run|Output|CombinedOutput|Wait)`,
	`sync WaitGroup\.Wait`, // a Cond gives the lock back
	`time \.Sleep`,
}, "|") + `)$`)

// library reports whether a function or method of the standard library is slow.
func library(fn *types.Func) bool {
	if fn.Pkg() == nil {
		return false
	}
	recv := ""
	if r := fn.Signature().Recv(); r != nil {
		if n := uses.Named(r.Type()); n != nil {
			recv = n.Obj().Name()
		}
	}
	return slow.MatchString(fn.Pkg().Path() + " " + recv + "." + fn.Name())
}
