package tree

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/transparency-dev/formats/proof"
)

// proofOf gives the proof of the third of five events, and its checkpoint.
func proofOf(t testing.TB) (Proof, Checkpoint) {
	t.Helper()
	k, err := NewKey(bytes.NewReader(make([]byte, 32)), exampleLedger)
	if err != nil {
		t.Fatal(err)
	}
	c := grown(5).checkpoint(5)
	p := Proof{Event: []byte("event 2"), Index: 2}
	if p.Note, err = c.Sign(k); err != nil {
		t.Fatal(err)
	}
	if p.Hashes, err = grown(5).Inclusion(5, 2); err != nil {
		t.Fatal(err)
	}
	return p, c
}

func same(p, q Proof) bool {
	return string(p.Event) == string(q.Event) && p.Index == q.Index && slices.Equal(p.Hashes, q.Hashes) &&
		p.Note == q.Note
}

// What is written reads back, and is what the library of C2SP writes and reads.
func TestProof(t *testing.T) {
	p, c := proofOf(t)
	if q, err := ParseProof(p.String()); err != nil || !same(p, q) || !q.Proves(c) {
		t.Fatalf("%+v reads back as %+v: %v", p, q, err)
	}
	var theirs proof.TLogProof
	if err := theirs.Unmarshal([]byte(p.String())); err != nil || string(theirs.Marshal()) != p.String() {
		t.Errorf("the library of C2SP reads it as %+v: %v", theirs, err)
	}
	for what, mutate := range map[string]func(*Proof){
		"another event":   func(p *Proof) { p.Event = []byte("event 3") },
		"another index":   func(p *Proof) { p.Index++ },
		"another hash":    func(p *Proof) { p.Hashes[0][3] ^= 1 },
		"a hash too few":  func(p *Proof) { p.Hashes = p.Hashes[1:] },
		"a hash too many": func(p *Proof) { p.Hashes = append(p.Hashes, p.Hashes[0]) },
	} {
		q, _ := proofOf(t)
		if mutate(&q); q.Proves(c) {
			t.Errorf("%s proves it, too", what)
		}
	}
}

// An error names the line that is wrong.
func TestMalformedProof(t *testing.T) {
	p, _ := proofOf(t)
	lines := strings.SplitAfter(p.String(), "\n")
	for _, x := range []struct {
		line int
		with string
	}{
		{1, "c2sp.org/tlog-proof@v2\n"}, {2, "index 2\n"}, {2, "extra \n"}, {2, "extra %\n"}, {3, "index 02\n"},
		{3, "index -1\n"}, {3, "index 9223372036854775808\n"}, {4, "AAAA\n"}, {4, "hash\n"}, {8, "note\n"},
	} {
		text := strings.Join(slices.Concat(lines[:x.line-1], []string{x.with}, lines[x.line:]), "")
		_, err := ParseProof(text)
		if !errors.Is(err, ErrProof) || !strings.Contains(err.Error(), fmt.Sprintf("line %d:", x.line)) {
			t.Errorf("line %d as %q: %v", x.line, x.with, err)
		}
	}
	long := strings.Join(lines[:4], "") + strings.Repeat(lines[3], 62) + "\n"
	for _, text := range []string{"", "\n", strings.Join(lines[:4], ""), long} {
		if _, err := ParseProof(text); !errors.Is(err, ErrProof) {
			t.Errorf("%.80q: %v", text, err)
		}
	}
}

func FuzzProof(f *testing.F) {
	p, _ := proofOf(f)
	f.Add(p.String())
	f.Add(strings.ReplaceAll(p.String(), "\n", "\r\n"))
	f.Add("c2sp.org/tlog-proof@v1\nextra YQ==\nindex 0\n\nwatu/")
	f.Fuzz(func(t *testing.T, text string) {
		p, err := ParseProof(text)
		if err != nil {
			if !errors.Is(err, ErrProof) {
				t.Errorf("%q: %v", text, err)
			}
			return
		}
		if q, err := ParseProof(p.String()); err != nil || !same(p, q) {
			t.Errorf("%q reads back as %q: %v", text, q, err)
		}
	})
}
