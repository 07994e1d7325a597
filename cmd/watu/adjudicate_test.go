package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/watu-ledger/watu/cmd/internal/terminal"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/requests"
)

// TestBatchLines: a line may be long, too long, without an end, or end as other systems end
// theirs; each but a blank one has its answer.
func TestBatchLines(t *testing.T) {
	good := `{"procedure":"awaw.sw.table","input":{"factors":1,"dice":[3,4]}}`
	var out bytes.Buffer
	b := newBatch(io.MultiReader(
		strings.NewReader(good+"\r\n\n  \n"+strings.Repeat(" ", 1<<20)+good+"\n"),
		strings.NewReader(strings.Repeat("x", longest+1)+"\n"),
		strings.NewReader(`{"id":"`+strings.Repeat("y", longest-9)+"\"\n"), strings.NewReader("\xff\n"),
		strings.NewReader(good)), &out)
	if err := b.run(); err != nil {
		t.Fatal(err)
	}
	var lines []string
	for line := range strings.Lines(out.String()) {
		var r struct {
			OK    bool
			Error struct{ Message string }
		}
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		what, _, _ := strings.Cut(r.Error.Message, ":")
		lines = append(lines, fmt.Sprint(r.OK, " ", what))
	}
	want := []string{"true ", "true ", "false line 5 is longer than 16 MiB", "false line 6 is not understood",
		"false line 7 is not UTF-8 text", "true "}
	if !slices.Equal(lines, want) || !b.misread {
		t.Errorf("%q", lines)
	}
}

// samples is every sample as a line of a batch.
func samples(t testing.TB) []byte {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "..", "rules", "*", "testdata", "samples", "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files of samples, %v", len(files), err)
	}
	var lines bytes.Buffer
	for _, f := range files {
		var list struct{ Cases []sample }
		text, err := os.ReadFile(f)
		if err == nil {
			err = json.Unmarshal(text, &list)
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range list.Cases {
			var input bytes.Buffer
			if err := json.Compact(&input, s.Input); err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&lines, `{"procedure":%q,"input":%s,"id":%q}`+"\n", s.Procedure, &input, s.ID)
		}
	}
	return lines.Bytes()
}

// TestBatchIsAdjudicate: a batch answers each sample as a run of its own does.
func TestBatchIsAdjudicate(t *testing.T) {
	lines := samples(t)
	var out bytes.Buffer
	if err := newBatch(bytes.NewReader(lines), &out).run(); err != nil {
		t.Fatal(err)
	}
	answers := slices.Collect(strings.Lines(out.String()))
	n := 0
	for line := range bytes.Lines(lines) {
		p, asked := requestIn(t, line)
		alone, err := json.Marshal(requests.Adjudicate(p, asked.Input))
		if err != nil {
			t.Fatal(err)
		}
		if want := fmt.Sprintf("{\"id\":%q,%s\n", asked.ID, alone[1:]); n >= len(answers) || answers[n] != want {
			t.Fatalf("answer %d of %d is not %s", n, len(answers), want)
		}
		n++
	}
}

var adjudicateRounds = flag.Int("rounds", 1, "interleaved rounds of the batch and of what it is compared to")

// BenchmarkBatch prints the line of docs/benchmarks.md: requests of every procedure through a
// batch, against reading and printing the same lines as JSON and nothing else, in turn.
func BenchmarkBatch(b *testing.B) {
	lines := bytes.Repeat(samples(b), 200)
	for b.Loop() {
		var ratios []float64
		for round := range *adjudicateRounds + 1 {
			var ours, bare time.Duration
			for half := range 2 { // who goes first alternates
				if (half+round)%2 == 0 {
					ours = spent(b, func() error { return newBatch(bytes.NewReader(lines), io.Discard).run() })
				} else {
					bare = spent(b, func() error { return echo(lines, io.Discard) })
				}
			}
			if round > 0 { // the first warms up
				ratios = append(ratios, float64(bare)/float64(ours))
			}
		}
		slices.Sort(ratios)
		fmt.Printf("\nadjudicate --batch / JSON in and out: lowest %.2f, median %.2f, highest %.2f\n", ratios[0],
			ratios[len(ratios)/2], ratios[len(ratios)-1])
	}
}

func spent(b *testing.B, f func() error) time.Duration {
	b.Helper()
	began := time.Now()
	if err := f(); err != nil {
		b.Fatal(err)
	}
	return time.Since(began)
}

// echo reads each line as JSON and prints it again.
func echo(lines []byte, out io.Writer) error {
	e := json.NewEncoder(out)
	for line := range bytes.Lines(lines) {
		var v any
		if err := json.Unmarshal(line, &v); err != nil {
			return err
		}
		if err := e.Encode(v); err != nil {
			return err
		}
	}
	return nil
}

// requestIn reads a line of a batch, and finds its procedure.
func requestIn(t *testing.T, line []byte) (p rules.Procedure, asked sample) {
	t.Helper()
	err := json.Unmarshal(line, &asked)
	if err == nil {
		p, err = procedureNamed(asked.Procedure)
	}
	if err != nil {
		t.Fatal(err)
	}
	return p, asked
}

// TestExplainSamples prints the ruling on each sample, in 80 columns, with every table that it read.
func TestExplainSamples(t *testing.T) {
	for line := range bytes.Lines(samples(t)) {
		p, asked := requestIn(t, line)
		var out bytes.Buffer
		reported := tool{out: &out, page: newPage(&out, false)}
		r := requests.Adjudicate(p, asked.Input)
		if err := reported.printRuling(p, asked.Input, r); err != nil {
			t.Fatal(err)
		}
		for l := range strings.Lines(out.String()) {
			if utf8.RuneCountInString(strings.TrimSuffix(l, "\n")) > terminal.Width {
				t.Errorf("%s: too wide: %s", asked.ID, l)
			}
		}
		if n := strings.Count(out.String(), "["); r.OK && n < len(r.Consulted)/2 {
			t.Errorf("%s: %d cells lit of %d read", asked.ID, n, len(r.Consulted))
		}
	}
}
