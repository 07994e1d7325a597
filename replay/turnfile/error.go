package turnfile

import "fmt"

// Error says what is wrong with a file, where, and what to do about it, in one line. It is the
// only kind of error of this package for what somebody typed.
type Error struct {
	File    string // as given to Parse
	Line    int    // from 1; 0 when the file as a whole is at fault
	Message string
}

// Error is "turn.yaml:12: message".
func (e *Error) Error() string {
	if e.Line == 0 {
		return e.File + ": " + e.Message
	}
	return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Message)
}

// fault makes the error for one line of the file being read; the name of the file is put in
// by named.
func fault(line int, format string, args ...any) error {
	return &Error{Line: line, Message: fmt.Sprintf(format, args...)}
}

func named(file string, err error) error {
	if e, ok := err.(*Error); ok {
		e.File = file
	}
	return err
}

// shown gives a word of the file as a message may quote it: on one line, and not too long.
func shown(s string) string {
	const most = 60
	if r := []rune(s); len(r) > most {
		s = string(r[:most]) + "…"
	}
	return fmt.Sprintf("%q", s)
}
