package main

import (
	"errors"
	"fmt"
	"strings"
)

const changelogName = "CHANGELOG.md"

const unreleased = "## Unreleased"

// takeSection makes what stands under Unreleased the section of a version. Where
// the version has its section and nothing is unreleased, nothing changes.
func takeSection(text, version, date string) (changed, section string, err error) {
	before, rest, ok := strings.Cut(text, unreleased+"\n")
	if !ok || before != "" && !strings.HasSuffix(before, "\n") {
		return "", "", fmt.Errorf("%s has no section %s", changelogName, unreleased)
	}
	news, older := rest, ""
	if i := strings.Index("\n"+rest, "\n## "); i >= 0 {
		news, older = rest[:i], rest[i:]
	}
	news = strings.TrimSpace(news)
	section, made := sectionOf(older, version)
	switch {
	case made && news != "":
		return "", "", fmt.Errorf("%s has a section %s and something under Unreleased as well", changelogName, version)
	case made:
		return text, section, nil
	case news == "":
		return "", "", errNothingNew
	}
	heading := fmt.Sprintf("%s\n\n## %s (%s)\n\n", unreleased, version, date)
	if older != "" {
		older = "\n" + older
	}
	return before + heading + news + "\n" + older, news, nil
}

// errNothingNew: a release is for what its users notice.
var errNothingNew = errors.New(changelogName + ": nothing stands under Unreleased")

// sectionOf is what stands under the heading of a version.
func sectionOf(text, version string) (section string, ok bool) {
	for part := range strings.SplitSeq("\n"+text, "\n## ") {
		heading, body, _ := strings.Cut(part, "\n")
		if name, _, _ := strings.Cut(heading, " "); name == version {
			return strings.TrimSpace(body), true
		}
	}
	return "", false
}
