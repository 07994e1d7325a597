package main

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
)

func TestQuoted(t *testing.T) {
	for word, want := range map[string]string{
		"": "''", "/srv/watu": "/srv/watu", "my ledger": "'my ledger'", "it's": `'it'\''s'`, "$HOME": "'$HOME'",
		"nats://host:4222": "nats://host:4222",
	} {
		if got := quoted(word); got != want {
			t.Errorf("%q is quoted as %s, not %s", word, got, want)
		}
	}
}

// What a terminal in another encoding hands in is refused: its letters would be lost in the record. A file may have
// any name.
func TestLegible(t *testing.T) {
	file := filepath.Join(t.TempDir(), "\xa3ukasz.yaml")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"--seat", "\xa3ukasz=UK"}, {"--note=\xa3"}, {"show", "m", "\xa3"}} {
		if err := legible(args); problem.Of(err) == nil || problem.Of(err).Kind != problem.Input {
			t.Errorf("%q: %v", args, err)
		}
	}
	for _, args := range [][]string{{"--seat", "Łukasz=UK"}, {"-f", file}, {"--file=" + file}, nil} {
		if err := legible(args); err != nil {
			t.Errorf("%q: %v", args, err)
		}
	}
}

// A file is written whole, or what was there stays.
func TestWritten(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "backup")
	write := func(text string, err error) error {
		_, failed := written(file, func(w io.Writer) error {
			_, _ = io.WriteString(w, text)
			return err
		})
		return failed
	}
	broken := errors.New("the server has gone away")
	if err := write("first", nil); err != nil {
		t.Fatal(err)
	}
	if err := write("sec", broken); !errors.Is(err, broken) {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil || string(text) != "first" {
		t.Errorf("%q, %v", text, err)
	}
	if err := write("second", nil); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(file); err != nil || string(text) != "second" {
		t.Errorf("%q, %v", text, err)
	}
	list, err := os.ReadDir(dir)
	if err != nil || len(list) != 1 {
		t.Errorf("%v, %v", list, err)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}
