package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/fixtures"
	"github.com/watu-ledger/watu/fixtures/longrun"
	"github.com/watu-ledger/watu/replay/bundle"
)

// built builds watu and watu-verify.
func built(t *testing.T) (watu, verifier string) {
	t.Helper()
	dir := t.TempDir()
	out, err := exec.Command("go", "build", "-o", dir+string(filepath.Separator), "../watu", ".").CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	watu, verifier = filepath.Join(dir, "watu"), filepath.Join(dir, name)
	for _, program := range []string{watu, verifier} {
		info, err := os.Stat(program)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %.1f MB", filepath.Base(program), float64(info.Size())/1e6)
	}
	return watu, verifier
}

// said is what a program printed, and its exit code.
type said struct {
	out, err string
	code     int
}

func run(t *testing.T, dir string, stdin []byte, program string, args ...string) said {
	t.Helper()
	c := exec.Command(program, args...)
	var out, errs bytes.Buffer
	c.Dir, c.Stdin, c.Stdout, c.Stderr = dir, bytes.NewReader(stdin), &out, &errs
	err := c.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return said{out.String(), errs.String(), c.ProcessState.ExitCode()}
}

// watu-verify says of a file what watu verify says, to the byte, and ends with the same code: of whole files and
// parts for every kind of reader, of forged, stripped and damaged ones, of another edition, and of what is no file.
func TestAsWatuVerify(t *testing.T) {
	longrun.Only(t)
	watu, verifier := built(t)
	dir := t.TempDir()
	if s := run(t, dir, nil, watu, "demo", "--once", "--dir", "ledger"); s.code != 0 {
		t.Fatal(s.err)
	}
	codes := map[int]int{}
	same := func(stdin []byte, args ...string) {
		t.Helper()
		want := run(t, dir, stdin, watu, append([]string{"verify"}, args...)...)
		got := run(t, dir, stdin, verifier, args...)
		want.err = strings.Replace(strings.ReplaceAll(want.err, "watu verify", name), "watu: ", name+": ", 1)
		if got != want {
			t.Errorf("%q\nwatu-verify: %d\n%s%s\nwatu verify: %d\n%s%s", args, got.code, got.out, got.err, want.code,
				want.out, want.err)
		}
		codes[got.code]++
	}
	for _, k := range fixtures.Campaigns() {
		for reader, more := range map[string][]string{"public": {"--from", "4", "--to", "8"}, "umpire": nil} {
			file := k.Name + "-" + reader + ".watu"
			export := append([]string{"export", k.Name, "--dir", "ledger", "-o", file, "--for", reader}, more...)
			if s := run(t, dir, nil, watu, export...); s.code != 0 {
				t.Fatal(s.err)
			}
			same(nil, file)
			same(nil, file, "--rolls")
			same(nil, file, "--json")
		}
		whole, err := os.ReadFile(filepath.Join(dir, k.Name+"-umpire.watu"))
		if err != nil {
			t.Fatal(err)
		}
		for what, text := range spoilt(t, whole) {
			if err := os.WriteFile(filepath.Join(dir, what), text, 0o600); err != nil {
				t.Fatal(err)
			}
			same(nil, what)
			same(nil, what, "--json")
			same(text, "-")
		}
	}
	file := fixtures.Campaigns()[0].Name + "-public.watu"
	head := recordOf(t, filepath.Join(dir, file)).Header.Head.String()
	for _, args := range [][]string{
		{file, "--head", head}, {"--head", head, file, "--json"}, {file, "--head", "12"},
		{file, "--head", strings.Repeat("0a", 32)},
		{"ledger"}, {"nowhere.watu"}, {"ledger/LEDGER"}, {file, file}, {file, "--heads"},
	} {
		same(nil, args...)
	}
	proofs(t, dir, same, func(args ...string) string { return run(t, dir, nil, watu, args...).out })
	for code := range 4 {
		if code != failed && codes[code] == 0 {
			t.Errorf("nothing ended with exit code %d: %v", code, codes)
		}
	}
	if s := run(t, dir, nil, verifier); s.code != input || !strings.Contains(s.err, "which record?") {
		t.Errorf("without a file: %+v", s)
	}
}

// proofs checks the proof of an event, whole, of another index, cut short and without a key.
func proofs(t *testing.T, dir string, same func([]byte, ...string), watu func(...string) string) {
	t.Helper()
	campaign := fixtures.Campaigns()[0].Name
	whole := watu("checkpoint", campaign, "--dir", "ledger", "--prove", "3")
	_, key, _ := strings.Cut(watu("checkpoint", campaign, "--dir", "ledger", "--json"), `"key":"`)
	key, _, _ = strings.Cut(key, `"`)
	if !strings.Contains(whole, "index 3\n") || key == "" {
		t.Fatalf("%s by %s", whole, key)
	}
	for what, text := range map[string]string{
		"proof": whole, "other": strings.Replace(whole, "index 3", "index 4", 1), "cut": whole[:100], "none": "",
	} {
		if err := os.WriteFile(filepath.Join(dir, what), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		same(nil, "--proof", what, "--key", key)
		same(nil, "--proof", what, "--key", key, "--json")
		same([]byte(text), "--proof", "-", "--key", key)
		same(nil, "--proof", what)
	}
	same(nil, "--proof", "nowhere", "--key", key)
}

func recordOf(t *testing.T, path string) *bundle.File {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	record, err := bundle.Read(f)
	if err != nil {
		t.Fatal(err)
	}
	return record
}

// spoilt gives files that somebody made of a whole one.
func spoilt(t *testing.T, whole []byte) map[string][]byte {
	t.Helper()
	made := func(change func(f *bundle.File)) []byte {
		f, err := bundle.Read(bytes.NewReader(whole))
		if err != nil {
			t.Fatal(err)
		}
		change(f)
		return f.Encode()
	}
	flipped := bytes.Clone(whole)
	flipped[len(whole)/2] ^= 1
	return map[string][]byte{
		"forged":   made(func(f *bundle.File) { forge(t, f) }),
		"stripped": made(func(f *bundle.File) { f.Openings, f.Links, f.Boards = nil, nil, nil }),
		"stated": made(func(f *bundle.File) {
			f.Openings, f.Links, f.Boards = nil, nil, nil
			f.Lacks = f.Missing()
		}),
		"edition": made(func(f *bundle.File) { elsewhere(t, f) }),
		"flipped": flipped,
		"short":   whole[:len(whole)-1],
		"long":    append(bytes.Clone(whole), 0),
		"newer":   append([]byte("watu record 2\n"), whole[len(bundle.Magic):]...),
		"empty":   {},
	}
}

// forge changes a figure in the middle of a record, and hashes what comes after anew.
func forge(t *testing.T, f *bundle.File) {
	t.Helper()
	done := false
	rewrite(t, f, func(e *events.Event) {
		if done || e.Index < uint64(len(f.Events)/2) || len(e.Derivation) == 0 {
			return
		}
		e.Derivation, done = slices.Clone(e.Derivation), true
		e.Derivation[0].Step += ", and one more"
	})
	if !done {
		t.Fatalf("nothing in %s to forge", f.Header.Name)
	}
}

// elsewhere has a record judged by an edition that nobody has.
func elsewhere(t *testing.T, f *bundle.File) {
	t.Helper()
	other := events.Hash{1}
	f.Header.Editions = []events.Hash{other}
	rewrite(t, f, func(e *events.Event) { e.Edition = other })
}

// rewrite changes the events of a record, and its chain and head with them.
func rewrite(t *testing.T, f *bundle.File, change func(e *events.Event)) {
	t.Helper()
	var previous events.Hash
	for i, text := range f.Events {
		e, err := events.Decode(text)
		if err != nil {
			t.Fatal(err)
		}
		change(&e)
		e.Previous = previous
		f.Events[i] = e.Encode()
		previous = events.LeafHash(f.Events[i])
	}
	f.Header.Head = previous
}
