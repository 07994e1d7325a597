package main

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"pgregory.net/rapid"

	"github.com/watu-ledger/watu/cmd/internal/terminal"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/events"
)

// Whatever is told, no line is wider than a page, and nothing steers the terminal.
func TestPageKeepsToItsWidth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var out bytes.Buffer
		p := newPage(&out, false)
		l := timeline.NarratedEvent{
			Index: rapid.Uint64().Draw(t, "index"), Text: rapid.String().Draw(t, "text"),
			Turn: rapid.String().Draw(t, "turn"), Rules: rapid.SliceOf(rapid.StringMatching(`[A-Z0-9.-]{1,30}`)).Draw(t,
				"rules"),
		}
		p.happened([]timeline.NarratedEvent{l})
		p.event(l, "result_adjudicated")
		for line := range strings.Lines(out.String()) {
			if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > terminal.Width {
				t.Fatalf("%d columns: %q", n, line)
			}
			if strings.ContainsAny(line, "\x1b\x07\x00") {
				t.Fatalf("a control character: %q", line)
			}
		}
	})
}

// The help of every command fits a page.
func TestHelpKeepsToItsWidth(t *testing.T) {
	var all func(c *cobra.Command)
	all = func(c *cobra.Command) {
		var out bytes.Buffer
		c.SetOut(&out)
		if err := c.Help(); err != nil || out.Len() == 0 {
			t.Errorf("%s: %v", c.CommandPath(), err)
		}
		for line := range strings.Lines(out.String()) {
			if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > terminal.Width {
				t.Errorf("%s --help has a line of %d columns: %s", c.CommandPath(), n, line)
			}
		}
		for _, below := range c.Commands() {
			all(below)
		}
	}
	all(newTool(os.Stdin, os.Stdout, os.Stderr).root())
}

// The type of every event stands apart from its sentence.
func TestTypesFitTheirColumn(t *testing.T) {
	for _, p := range events.Payloads() {
		if kind := string(p.Type()); len(kind) >= kindWidth {
			t.Errorf("%s has %d letters, the column %d", kind, len(kind), kindWidth)
		}
	}
}

// Colours are paint: without them the text is the same.
func TestColourIsPaint(t *testing.T) {
	line := func(colour bool) string {
		var out bytes.Buffer
		p := newPage(&out, colour)
		p.Heading("Winter 1941")
		p.happened([]timeline.NarratedEvent{{Index: 12, Turn: "Winter 1941", Text: "Britain plays an ASW card.",
			Rules: []string{"AWAW-48.22-B", "AWAW-48.81"}}})
		return out.String()
	}
	painted := line(true)
	if !strings.Contains(painted, "\x1b[1m") || !strings.Contains(painted, "\x1b[2m") {
		t.Errorf("nothing is painted: %q", painted)
	}
	bare := strings.NewReplacer("\x1b[1m", "", "\x1b[2m", "", "\x1b[0m", "").Replace(painted)
	if bare != line(false) {
		t.Errorf("painted\n%q\nbare\n%q", bare, line(false))
	}
}

// How many there are of something is said of the thing, and not of what became of it.
func TestCounted(t *testing.T) {
	for _, c := range []struct {
		n          int
		kind, want string
	}{
		{1, "dispute_opened", "1 dispute opened"},
		{2, "dispute_opened", "2 disputes opened"},
		{3, "evidence_brought", "3 evidence brought"},
		{2, "dice_typed", "2 dice typed"},
	} {
		if got := counted(c.n, c.kind); got != c.want {
			t.Errorf("%d %s: %q, want %q", c.n, c.kind, got, c.want)
		}
	}
}
