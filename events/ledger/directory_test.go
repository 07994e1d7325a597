package ledger

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func openDir(t *testing.T, dir string) (*Ledger, error) {
	t.Helper()
	return Open(dir, Options{Holder: "watu serve", Fatal: func(err error) { t.Error(err) }})
}

// listing is every name under dir, to see that it was not touched.
func listing(t *testing.T, dir string) string {
	t.Helper()
	var names []string
	err := filepath.Walk(dir, func(path string, info os.FileInfo, err error) error {
		if err == nil {
			names = append(names, path+" "+info.ModTime().String())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(names, "\n")
}

func TestHeld(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "deep", "ledger")
	l, err := openDir(t, dir)
	if err != nil {
		t.Fatal(err)
	}
	_, err = openDir(t, dir)
	var held *HeldError
	if !errors.Is(err, ErrHeld) || !errors.As(err, &held) || held.PID != os.Getpid() ||
		!strings.Contains(err.Error(), "held by watu serve (process ") {
		t.Errorf("second open: %v", err)
	}
	closeLedger(t, l)
	if _, err := os.Stat(filepath.Join(dir, nameHolder)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("HOLDER after Close: %v", err)
	}
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("mode of the directory: %v %v", info.Mode(), err)
	}
	l, err = openDir(t, dir)
	if err != nil {
		t.Fatal(err)
	}
	closeLedger(t, l)
}

func TestHeldByAnotherProcess(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	l, err := openDir(t, dir)
	if err != nil {
		t.Fatal(err)
	}
	defer closeLedger(t, l)
	_, errs, code := child(t, "open", dir)
	want := fmt.Sprintf("ledger %s is held by watu serve (process %d on ", dir, os.Getpid())
	if code != 2 || !strings.HasPrefix(errs, want) {
		t.Errorf("exit code %d, standard error %q, want %q", code, errs, want)
	}
}

func TestDirectoriesThatAreRefused(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		files map[string]string
		want  error
		says  string
	}{
		"somebody's papers": {map[string]string{"thesis.txt": "…"}, ErrNotLedger, "no file LEDGER"},
		"papers and record": {map[string]string{"thesis.txt": "…", "record/LOCK": ""}, ErrNotLedger,
			"no file LEDGER"},
		"LEDGER was lost": {map[string]string{"record/LOCK": "", "record/000002.log": ""}, ErrNotLedger,
			"no file LEDGER"},
		"load was cut": {map[string]string{"LOADING": "{}", "record/LOCK": ""}, ErrUnfinished,
			"delete the directory and load again"},
		"only LEDGER lost": {map[string]string{"record/MANIFEST-000001": ""}, ErrDamaged,
			"a record, and no file LEDGER"},
		"LEDGER is broken": {map[string]string{"LEDGER": "{", "record/MANIFEST-000001": ""}, ErrDamaged,
			"LEDGER cannot be read"},
		"LEDGER is empty": {map[string]string{"LEDGER": ""}, ErrNotLedger, "cannot be read"},
		"newer": {map[string]string{"LEDGER": `{"format": 7, "ledger": ["new"]}`}, ErrNewer,
			"format 7, and this watu knows 3"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for file, text := range test.files {
				path := filepath.Join(dir, file)
				if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			before := listing(t, dir)
			_, err := openDir(t, dir)
			if !errors.Is(err, test.want) || !strings.Contains(err.Error(), test.says) ||
				!strings.Contains(err.Error(), dir) {
				t.Errorf("%v, want %v", err, test.want)
			}
			if after := listing(t, dir); after != before {
				t.Errorf("the directory was touched:\n%s\n\n%s", before, after)
			}
		})
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := openDir(t, file); !errors.Is(err, ErrNotLedger) {
		t.Errorf("a file: %v", err)
	}
}

func TestRecordIsGone(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	l, err := openDir(t, dir)
	if err != nil {
		t.Fatal(err)
	}
	closeLedger(t, l)
	if err := os.RemoveAll(filepath.Join(dir, nameRecord)); err != nil {
		t.Fatal(err)
	}
	if _, err := openDir(t, dir); !errors.Is(err, ErrDamaged) {
		t.Errorf("%v, want %v", err, ErrDamaged)
	}
}

func TestRecordOfAnotherLedger(t *testing.T) {
	t.Parallel()
	a, b := t.TempDir(), t.TempDir()
	for _, dir := range []string{a, b} {
		l, err := openDir(t, dir)
		if err != nil {
			t.Fatal(err)
		}
		closeLedger(t, l)
	}
	if err := os.RemoveAll(filepath.Join(a, nameRecord)); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(b, nameRecord), filepath.Join(a, nameRecord)); err != nil {
		t.Fatal(err)
	}
	if _, err := openDir(t, a); !errors.Is(err, ErrDamaged) {
		t.Errorf("%v, want %v", err, ErrDamaged)
	}
}
