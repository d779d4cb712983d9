package lockslow

import (
	"go/types"
	"slices"
	"strings"

	"github.com/gopayoff/payoff/tool/vet/uses"
)

// library says why a function or method of the standard library is slow.
func library(fn *types.Func) kind {
	if fn.Pkg() == nil {
		return quick
	}
	path, name := fn.Pkg().Path(), fn.Name()
	var recv string
	if r := fn.Signature().Recv(); r != nil {
		if n := uses.Named(r.Type()); n != nil {
			recv = n.Obj().Name()
		}
	}
	in := func(names ...string) bool { return slices.Contains(names, name) }
	first, _, _ := strings.Cut(path, "/")
	switch first {
	case "encoding":
		switch {
		case in("Marshal", "MarshalIndent", "Unmarshal", "Encode", "EncodeToString", "Decode", "DecodeString", "EncodeElement", "DecodeElement", "ReadAll", "WriteAll"):
			return encode
		case path == "encoding/binary" && in("Read", "Write", "Append"):
			return encode
		}
	case "compress":
		if in("Write", "Read", "Close", "Flush") {
			return encode
		}
	case "crypto":
		if strings.HasPrefix(name, "Sum") || in("Sign", "Verify", "Seal", "Open", "EncryptOAEP", "DecryptOAEP", "SignPKCS1v15", "VerifyPKCS1v15", "GenerateKey") {
			return encode
		}
	case "html", "text":
		if in("Execute", "ExecuteTemplate") {
			return encode
		}
	}
	switch path {
	case "regexp":
		if in("Compile", "MustCompile") {
			return encode
		}
	case "os":
		switch {
		case in("ReadFile", "Open", "Stat", "Lstat", "ReadDir", "Readlink") && recv == "":
			return read
		case recv == "File" && !in("Name", "Fd"):
			return write
		case in("WriteFile", "Create", "CreateTemp", "OpenFile", "Remove", "RemoveAll", "Rename", "Mkdir", "MkdirAll", "MkdirTemp", "Truncate", "Link", "Symlink", "Chmod", "Chtimes", "CopyFS"):
			return write
		}
	case "os/exec":
		if in("Run", "Output", "CombinedOutput", "Wait") {
			return write
		}
	case "io":
		if in("Copy", "CopyN", "CopyBuffer", "WriteString") {
			return write
		}
		if in("ReadAll", "ReadFull", "ReadAtLeast") {
			return write // it moves the reader on
		}
	case "bufio":
		if in("Flush", "ReadString", "ReadLine", "ReadBytes", "Scan") {
			return write
		}
	case "fmt":
		if strings.HasPrefix(name, "Fprint") || strings.HasPrefix(name, "Print") || strings.HasPrefix(name, "Fscan") || strings.HasPrefix(name, "Scan") {
			return write
		}
	case "log", "log/slog":
		if !strings.HasPrefix(name, "New") && !strings.HasPrefix(name, "Set") && !in("With", "WithGroup", "Default", "String", "Int", "Any", "Bool", "Duration", "Group") {
			return write
		}
	case "net":
		switch {
		case strings.HasPrefix(name, "Dial") || strings.HasPrefix(name, "Lookup") || strings.HasPrefix(name, "Resolve"):
			return read
		case in("Read", "Write", "ReadFrom", "WriteTo", "Accept", "Close") && recv != "Buffers":
			return write
		}
	case "net/http":
		switch {
		case in("Get", "Head") && (recv == "" || recv == "Client"):
			return read
		case in("Do", "Post", "PostForm", "RoundTrip", "ListenAndServe", "Serve", "Shutdown"):
			return write
		case recv == "ResponseWriter" && in("Write"):
			return write
		}
	case "database/sql":
		switch {
		case strings.HasPrefix(name, "Query"), in("Scan", "Ping", "PingContext", "Next"):
			return read
		case strings.HasPrefix(name, "Exec"), in("Commit", "Rollback", "Begin", "BeginTx", "Prepare", "PrepareContext"):
			return write
		}
	case "time":
		if name == "Sleep" {
			return wait
		}
	case "sync":
		if recv == "WaitGroup" && name == "Wait" { // a Cond gives the lock back
			return wait
		}
	}
	return quick
}
