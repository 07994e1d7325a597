//go:build unix

package maintenance

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Who else may write is refused with what mends it, wherever it matters; who else may read is named once.
// A group with the owner's own number is his alone.
func TestGuarded(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "ledger")
	for _, name := range []string{"record", "secrets", "boards", "refusals", "views"} {
		if err := os.MkdirAll(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{
		"LEDGER", "secrets/01J", "boards/abc", "refusals/01J", "tokens", "record/1.sst", "views/1.sst",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	type change struct {
		name string
		mode os.FileMode
	}
	for _, c := range []struct {
		changes []change
		refused string // the path that is named
		count   int
	}{
		{},
		{changes: []change{{".", 0o755}}},
		{changes: []change{{".", 0o707}}, refused: "."},
		{changes: []change{{"secrets", 0o707}}, refused: "secrets"},
		{changes: []change{{"secrets/01J", 0o602}}, refused: "secrets/01J"},
		{changes: []change{{"boards/abc", 0o606}}, refused: "boards/abc"},
		{changes: []change{{"tokens", 0o602}}, refused: "tokens"},
		{changes: []change{{"record", 0o703}}, refused: "record"},
		{changes: []change{{"views", 0o702}}, refused: "views"},
		{changes: []change{{"refusals/01J", 0o622}}, refused: "refusals/01J"},
		{changes: []change{{"LEDGER", 0o606}}}, // nobody else enters
		{changes: []change{{"LEDGER", 0o606}, {".", 0o701}}, refused: "LEDGER"},
		{changes: []change{{"record/1.sst", 0o606}, {".", 0o755}}}, // nobody else enters the folder
		{changes: []change{{"record/1.sst", 0o606}, {"record", 0o701}}},
		{changes: []change{{"record/1.sst", 0o606}, {"record", 0o701}, {".", 0o701}}, refused: "record/1.sst"},
		{changes: []change{{"views/1.sst", 0o606}, {"views", 0o755}, {".", 0o755}}, refused: "views/1.sst"},
		{changes: []change{{".", 0o755}, {"secrets", 0o755}, {"tokens", 0o644}}, count: 1},
		{changes: []change{{"secrets", 0o755}, {"tokens", 0o644}}},
	} {
		for _, x := range c.changes {
			if err := os.Chmod(filepath.Join(dir, x.name), x.mode); err != nil {
				t.Fatal(err)
			}
		}
		count := 0
		err := guarded(dir, func(line string) {
			if count++; !strings.Contains(line, "chmod -R go-rwx "+dir) {
				t.Errorf("%v: it says %s", c.changes, line)
			}
		})
		switch want := filepath.Join(dir, c.refused); {
		case c.refused == "" && err != nil, c.refused != "" &&
			(err == nil || !strings.Contains(err.Error(), "chmod go-w "+want+",")):
			t.Errorf("%v: %v", c.changes, err)
		case count != c.count:
			t.Errorf("%v: said %d times", c.changes, count)
		}
		for _, x := range c.changes {
			mode := os.FileMode(0o600)
			if s, _ := os.Stat(filepath.Join(dir, x.name)); s.IsDir() {
				mode = 0o700
			}
			if err := os.Chmod(filepath.Join(dir, x.name), mode); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// Where a symbolic link leads counts as what it stands for, as do the folder there and every owner.
func TestGuardedLinks(t *testing.T) {
	t.Parallel()
	if os.Getuid() != 0 {
		t.Skip("NOT TESTED: files of another user. Only root gives a file to another user")
	}
	top := t.TempDir()
	dir, away := filepath.Join(top, "ledger"), filepath.Join(top, "away")
	secret, target := filepath.Join(dir, "secrets", "01J"), filepath.Join(away, "01J")
	set := func(mode, folder os.FileMode, owner int) func() error {
		return func() error {
			return errors.Join(os.WriteFile(target, nil, 0o600), os.Chmod(target, mode), os.Chmod(away, folder),
				os.Chown(target, owner, owner), os.Symlink(target, secret))
		}
	}
	own := func(path string) func() error {
		return func() error { return errors.Join(os.WriteFile(secret, nil, 0o600), os.Chown(path, 1234, 1234)) }
	}
	for name, c := range map[string]struct {
		make    func() error
		refused string // the path that is named
		count   int
	}{
		"a good target":         {make: set(0o600, 0o700, 0)},
		"in a sticky folder":    {make: set(0o600, 0o777|os.ModeSticky, 0)},
		"a target of all":       {make: set(0o666, 0o700, 0), refused: target},
		"in a folder of all":    {make: set(0o600, 0o777, 0), refused: away},
		"of another user":       {make: set(0o600, 0o700, 1234), refused: target},
		"a secret of another":   {make: own(secret), refused: secret},
		"secrets of another":    {make: own(filepath.Dir(secret)), refused: filepath.Dir(secret)},
		"a directory of others": {make: own(dir), count: 1},
		"a folder elsewhere": {refused: away, make: func() error {
			return errors.Join(os.Chmod(away, 0o777), os.Remove(filepath.Dir(secret)),
				os.Symlink(away, filepath.Dir(secret)))
		}},
		"a link that others move": {refused: away, make: func() error {
			hop := filepath.Join(away, "hop")
			return errors.Join(os.WriteFile(target, nil, 0o600), os.Symlink(target, hop), os.Chmod(away, 0o777),
				os.Symlink(hop, secret))
		}},
	} {
		if err := errors.Join(os.RemoveAll(dir), os.RemoveAll(away), os.MkdirAll(away, 0o700),
			os.MkdirAll(filepath.Dir(secret), 0o700), c.make()); err != nil {
			t.Fatal(err)
		}
		link := filepath.Join(top, "link") // to the ledger, which is as good as the ledger
		if err := errors.Join(os.RemoveAll(link), os.Symlink(dir, link)); err != nil {
			t.Fatal(err)
		}
		for _, opened := range []string{dir, link} {
			count := 0
			err := guarded(opened, func(string) { count++ })
			want := strings.Replace(c.refused, dir+"/", opened+"/", 1)
			if c.refused == "" && err != nil || c.refused != "" &&
				(err == nil || !strings.Contains(err.Error(), want+",") &&
					!strings.Contains(err.Error(), want+" belongs")) || count != c.count {
				t.Errorf("%s in %s: %v, said %d", name, opened, err, count)
			}
		}
	}
}

// A group that others may belong to counts as others.
func TestGuardedGroup(t *testing.T) {
	t.Parallel()
	if os.Getuid() != 0 {
		t.Skip("NOT TESTED: directories of another group. Only root gives a file to another group")
	}
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o770); err != nil {
		t.Fatal(err)
	}
	for group, refused := range map[int]bool{os.Getuid(): false, os.Getuid() + 77: true} {
		if err := os.Chown(dir, -1, group); err != nil {
			t.Fatal(err)
		}
		if err := guarded(dir, func(line string) { t.Error(line) }); (err != nil) != refused {
			t.Errorf("group %d: %v", group, err)
		}
	}
}
