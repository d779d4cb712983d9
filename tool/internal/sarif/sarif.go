// Package sarif writes SARIF 2.1.0, the form in which code hosts take what analyzers
// found: the part of it that reports of payoff have.
//
// Names and messages come from others. Here they become URIs and texts that hold
// nothing else, in one place for all that write it.
//
// https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
package sarif

import (
	"bytes"
	"encoding/json"
	"io"
	"net/url"
	"path/filepath"
	"strings"
)

// A Log is a file of SARIF. [Write] fills in its schema.
type Log struct {
	Schema  string `json:"$schema"`
	Version string `json:"version"`
	Runs    []Run  `json:"runs"`
}

// A Run is what one run of a tool found.
type Run struct {
	Tool        Tool          `json:"tool"`
	ColumnKind  string        `json:"columnKind,omitempty"`
	Bases       map[string]At `json:"originalUriBaseIds,omitempty"`
	Invocations []Invocation  `json:"invocations"`
	Results     []Result      `json:"results"` // not nil: nil would say that it looked for nothing
}

type (
	// A Tool is payoff.
	Tool struct {
		Driver Driver `json:"driver"`
	}
	// A Driver has the rules that results name.
	Driver struct {
		Name    string `json:"name"`
		Version string `json:"version,omitempty"`
		Rules   []Rule `json:"rules"`
	}
	// A Rule is what was looked for.
	Rule struct {
		ID    string  `json:"id"`
		Short Message `json:"shortDescription"`
		Full  Message `json:"fullDescription"`
		Help  Message `json:"help,omitzero"`
	}
	// A Message is text. [Text] makes one of what others wrote.
	Message struct {
		Text string `json:"text"`
	}
	// An Invocation says how the run went.
	Invocation struct {
		Successful    bool           `json:"executionSuccessful"`
		Notifications []Notification `json:"toolExecutionNotifications,omitempty"`
	}
	// A Notification is of the run and of no place.
	Notification struct {
		Level   string  `json:"level"`
		Message Message `json:"message"`
	}
	// A Result is what was found at a place.
	Result struct {
		RuleID       string            `json:"ruleId"`
		RuleIndex    int               `json:"ruleIndex"`
		Level        string            `json:"level"`
		Message      Message           `json:"message"`
		Locations    []Location        `json:"locations,omitempty"`
		Fixes        []Fix             `json:"fixes,omitempty"`
		Fingerprints map[string]string `json:"partialFingerprints,omitempty"`
		Properties   map[string]any    `json:"properties,omitempty"`
	}
	// A Location is a region of a file.
	Location struct {
		Physical Physical `json:"physicalLocation"`
	}
	// A Physical is a region of a file, one level down.
	Physical struct {
		Artifact At     `json:"artifactLocation"`
		Region   Region `json:"region"`
	}
	// A Fix is an edit of some files.
	Fix struct {
		Description Message  `json:"description"`
		Changes     []Change `json:"artifactChanges"` // one for each file
	}
	// A Change is what a fix does to a file.
	Change struct {
		Artifact     At            `json:"artifactLocation"`
		Replacements []Replacement `json:"replacements"`
	}
	// A Replacement puts text in the place of a region.
	Replacement struct {
		Deleted  Region  `json:"deletedRegion"` // empty: an insertion
		Inserted Message `json:"insertedContent"`
	}
	// An At is where a file is. [Relative] and [File] make one.
	At struct {
		URI  string `json:"uri"`
		Base string `json:"uriBaseId,omitempty"`
	}
	// A Region is a part of a file, by lines and columns from 1 on; its end is past it.
	Region struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn"`
		EndLine     int `json:"endLine"`
		EndColumn   int `json:"endColumn"`
	}
)

// Write writes a log of one run.
func Write(w io.Writer, run Run) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "\t")
	if err := enc.Encode(Log{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []Run{run}}); err != nil {
		return err
	}
	// A system that runs payoff takes ##[name] for a command, wherever it stands.
	_, err := w.Write(bytes.ReplaceAll(b.Bytes(), []byte("##"), []byte(`#\u0023`)))
	return err
}

// Text is a message with this text and no links: [a](b) would be one (3.11.6).
func Text(s string) Message { return Message{strings.ReplaceAll(s, "](", "] (")} }

// Relative is a file by its name with slashes, seen from where the reader looks.
func Relative(name string) At {
	if strings.HasPrefix(name, "//") { // or its first element would be a host
		name = "." + name
	}
	return At{URI: (&url.URL{Path: name}).String()}
}

// File is a file by its absolute name.
func File(name string) At { return At{URI: fileURI(name)} }

// Folder is that of a folder, which others can be relative to.
func Folder(name string) At { return At{URI: fileURI(name) + "/"} }

func fileURI(file string) string {
	name := filepath.ToSlash(file)
	if !strings.HasPrefix(name, "/") {
		name = "/" + name // C:/…
	}
	return (&url.URL{Scheme: "file", Path: strings.TrimSuffix(name, "/")}).String()
}
