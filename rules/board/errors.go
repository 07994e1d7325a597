package board

import (
	"fmt"
	"strings"
)

// Error says what is wrong with a file of a board, and where.
type Error struct {
	File    string // as given to Read
	Line    int    // from 1; 0 when the file as a whole is at fault
	Element string // of the XML, "connection"; empty elsewhere
	Message string
}

// Error is "ww2v2.xml:12: <connection>: message".
func (e *Error) Error() string {
	at := e.File
	if e.Line > 0 {
		at = fmt.Sprintf("%s:%d", at, e.Line)
	}
	if e.Element != "" {
		at += ": <" + e.Element + ">"
	}
	return at + ": " + e.Message
}

// fault makes the error for one line of the file being read; named puts in the file's name.
func fault(line int, format string, args ...any) error {
	return &Error{Line: line, Message: fmt.Sprintf(format, args...)}
}

func named(file string, err error) error {
	if e, ok := err.(*Error); ok && e.File == "" {
		e.File = file
	}
	return err
}

// UnknownError is for a name that the board does not have.
type UnknownError struct {
	Kind    string   // "power", "space", "territory" or "sea zone"
	Name    string   // as asked for
	Nearest []string // names of the board or of the table that it may have been meant for, at most three
}

func (e *UnknownError) Error() string {
	return fmt.Sprintf("the board has no %s %s%s", e.Kind, shown(e.Name), nearestOf(e.Nearest))
}

// WrongKindError is for a territory where a sea zone is wanted, or the reverse.
type WrongKindError struct {
	Name  string // as asked for
	Want  string // "sea zone" or "territory"
	Space Space  // what the name stands for
}

func (e *WrongKindError) Error() string {
	is := "territory"
	if e.Space.Water {
		is = "sea zone"
	}
	text := fmt.Sprintf("%s is a %s, not a %s", shown(e.Name), is, e.Want)
	if fold(e.Name) != fold(e.Space.Name) {
		text += ": it stands for " + shown(e.Space.Name)
	}
	return text
}

// shown quotes a name on one line, and not too long.
func shown(s string) string { return fmt.Sprintf("%q", short(s, 60)) }

func short(s string, most int) string {
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}

// several lists names, a dozen at most.
func several(names []string) string { return Few(names, 12) }

// Few lists names, the first of them, and how many more there are: "SZ 10, SZ 19 and 31 more".
func Few(names []string, most int) string {
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}
