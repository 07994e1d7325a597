package turnfile_test

import (
	"cmp"
	"fmt"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/watu-ledger/watu/replay/turnfile"
)

// TestTranscripts plays testdata: each file or entry typed, and what is read from it.
//
//	parse                a turn file
//	entry turn=T         one entry in turn T
//	lines                the lines of each field asked for, in the file parsed last
//	correct              a body on the first line, and a correction applied to it
func TestTranscripts(t *testing.T) {
	for _, path := range []string{"testdata/turn.txt", "testdata/correction.txt"} {
		var last *turnfile.File
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			switch d.Cmd {
			case "parse":
				f, err := turnfile.Parse("turn.yaml", []byte(d.Input), verbs)
				if err != nil {
					return err.Error() + "\n"
				}
				last = f
				return told(f.Entries...)
			case "entry":
				turn := ""
				d.MaybeScanArgs(t, "turn", &turn)
				e, err := turnfile.ParseEntry("-e", d.Input, turn, verbs)
				if err != nil {
					return err.Error() + "\n"
				}
				return told(e)
			case "lines":
				return lines(last, d.Input)
			case "correct":
				body, text, _ := strings.Cut(d.Input, "\n")
				return corrected(body, text)
			}
			d.Fatalf(t, "no command %s", d.Cmd)
			return ""
		})
	}
}

func told(entries ...turnfile.Entry) string {
	var b strings.Builder
	for _, e := range entries {
		fmt.Fprintf(&b, "%d  %s  [%s]\n   %s\n", e.Line, e.ID, e.Verb, e.Body)
	}
	return b.String()
}

func lines(f *turnfile.File, fields string) string {
	e := f.Entries[len(f.Entries)-1]
	var b strings.Builder
	for field := range strings.Lines(fields + "\n") {
		field = strings.Trim(field, "\"\n")
		fmt.Fprintf(&b, "%q: %d\n", field, e.LineOf(field))
	}
	return b.String()
}

func corrected(body, text string) string {
	c, err := turnfile.ParseCorrection("fix.yaml", []byte(text))
	if err != nil {
		return err.Error() + "\n"
	}
	now, changes, err := c.Apply([]byte(body))
	if err != nil {
		return err.Error() + "\n"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s (%s)\n", c.Reason, c.Code)
	for _, ch := range changes {
		fmt.Fprintf(&b, "%s: %s -> %s\n", ch.Field, cmp.Or(ch.Was, "absent"), cmp.Or(ch.Now, "absent"))
	}
	return b.String() + string(now) + "\n"
}
