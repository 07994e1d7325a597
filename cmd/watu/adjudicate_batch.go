package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"slices"
	"unicode/utf8"

	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/requests"
)

// longest is the longest line of a batch, in bytes; any request is far shorter.
const longest = 16 << 20

// batch answers requests, one a line, each with its ruling, in order. It keeps one line at a time.
type batch struct {
	in         *bufio.Reader
	out        *bufio.Writer
	procedures map[string]rules.Procedure
	refused    bool // a request was, by a rule
	misread    bool // a line was not understood
}

// adjudicateBatch answers every line, come what may, and ends with the worst that befell one.
func (t *tool) adjudicateBatch() error {
	b := newBatch(t.in, t.out)
	if _, err := waited(t, "standard input", func() (struct{}, error) { return struct{}{}, b.run() }); err != nil {
		return err
	}
	switch {
	case b.misread:
		return &reportedError{&problem.Problem{Kind: problem.Input}}
	case b.refused:
		return &reportedError{&problem.Problem{Kind: problem.Refused}}
	}
	return nil
}

func newBatch(in io.Reader, out io.Writer) *batch {
	b := &batch{in: bufio.NewReaderSize(in, 64<<10), out: bufio.NewWriterSize(out, 64<<10),
		procedures: map[string]rules.Procedure{}}
	for _, p := range timeline.Procedures() {
		b.procedures[p.Name] = p
	}
	return b
}

func (b *batch) run() error {
	for n := 1; ; n++ {
		line, whole, end := b.line()
		if end != nil && !errors.Is(end, io.EOF) {
			return errors.Join(end, b.out.Flush())
		}
		if !whole || len(bytes.TrimSpace(line)) > 0 {
			id, r := b.answer(n, line, whole)
			if err := b.print(id, r); err != nil {
				return err
			}
		}
		if end != nil {
			return b.out.Flush()
		}
		if b.in.Buffered() == 0 { // whoever asks may wait for this answer
			if err := b.out.Flush(); err != nil {
				return err
			}
		}
	}
}

// line reads a line without its end. Of one that is too long it keeps nothing and is not whole.
func (b *batch) line() (line []byte, whole bool, err error) {
	whole = true
	for {
		part, err := b.in.ReadSlice('\n')
		if whole = whole && len(line)+len(part) <= longest; whole {
			line = append(line, part...)
		} else {
			line = nil
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return bytes.TrimSuffix(line, []byte("\n")), whole, err
		}
	}
}

// answer rules on line n, an object of procedure, input and, if it is given, an id: whatever the
// asker knows it by.
func (b *batch) answer(n int, line []byte, whole bool) (id json.RawMessage, r rules.Ruling) {
	var asked map[string]json.RawMessage
	err := json.Unmarshal(line, &asked)
	switch {
	case !whole:
		return nil, misread("", "line %d is longer than %d MiB", n, longest>>20)
	case !utf8.Valid(line):
		return nil, misread("", "line %d is not UTF-8 text", n)
	case err != nil || asked == nil:
		return nil, misread("", `line %d is not understood: one JSON object is expected, `+
			`{"procedure": "…", "input": {…}}`, n)
	}
	id = asked["id"]
	for _, name := range slices.Sorted(maps.Keys(asked)) {
		if !slices.Contains([]string{"procedure", "input", "id"}, name) {
			return id, misread("", "line %d: there is no field %q; there are procedure, input and id", n, name)
		}
	}
	var name string
	if json.Unmarshal(asked["procedure"], &name) != nil {
		return id, misread("", "line %d names no procedure", n)
	}
	p, known := b.procedures[name]
	if !known {
		_, err := procedureNamed(name)
		return id, misread(name, "line %d: %v", n, err)
	}
	if asked["input"] == nil {
		return id, misread(name, "line %d has no input", n)
	}
	return id, requests.Adjudicate(p, asked["input"])
}

func misread(procedure, format string, args ...any) rules.Ruling {
	var f rules.Findings
	f.Violate(rules.Input, format, args...)
	return rules.Ruling{Procedure: procedure, Violations: f.Violations}
}

// print writes a ruling as a line; its id stands first.
func (b *batch) print(id json.RawMessage, r rules.Ruling) error {
	b.misread = b.misread || r.Rule() == rules.Input
	b.refused = b.refused || !r.OK
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	if id != nil {
		b.out.WriteString(`{"id":`)
		b.out.Write(id)
		b.out.WriteByte(',')
		text = text[1:]
	}
	_, err = b.out.Write(append(text, '\n'))
	return err
}
