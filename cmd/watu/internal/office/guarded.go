//go:build unix

package office

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// What a ledger's directory holds that its owner alone may write: others could put their own dice to
// come, or a token of their own, in its place.
var own = []string{
	"record", "secrets", "secrets/*", "boards", "boards/*", "imports", "imports/*", "refusals", "refusals/*",
	"tokens", "views", "stream",
}

// What he alone should read: it tells dice to come, hands, or who holds which token.
var secret = []string{"record", "secrets", "secrets/*", "refusals", "refusals/*", "tokens"}

// guarded refuses a directory that others can write, and says once if others can read its secrets. Others
// are everybody, and a group; but a group whose number is its owner's is taken for his alone. Where
// nobody else may enter the ledger's directory, files of other names in it may be as they are.
func guarded(dir string, say func(string)) error {
	top, err := os.Stat(dir)
	if err != nil {
		return nil // that it is missing, others say
	}
	if others(top, 0o022) {
		return writable(dir)
	}
	names := own
	entered := others(top, 0o011)
	if entered {
		names = append([]string{"LEDGER", "CHECKPOINT", "READONLY"}, own...)
	}
	for _, path := range matching(dir, names) {
		if info, err := os.Lstat(path); err == nil && others(info, 0o022) {
			return writable(path)
		}
	}
	if !entered {
		return nil
	}
	for _, folder := range []string{"record", "views", "stream"} {
		if err := guardedInside(filepath.Join(dir, folder)); err != nil {
			return err
		}
	}
	for _, path := range matching(dir, secret) {
		if info, err := os.Lstat(path); err == nil && others(info, 0o044) {
			say("others can read " + path + ", which holds secrets of the ledger: chmod -R go-rwx " + dir)
			break
		}
	}
	return nil
}

// guardedInside refuses a folder in which others can write, as far as they can enter it.
func guardedInside(folder string) error {
	return filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return nil // what is not there, nobody writes
		}
		info, err := e.Info()
		switch {
		case err != nil:
			return nil
		case others(info, 0o022):
			return writable(path)
		case e.IsDir() && !others(info, 0o011):
			return fs.SkipDir
		}
		return nil
	})
}

// writable says that others can write.
func writable(path string) error {
	return problem(Unverified, "others can write %s, and so change dice to come, cards and tokens: chmod go-w %s, "+
		"and look after what lies there before you go on", path, path)
}

// others reports whether somebody else than the owner has one of the rights.
func others(info fs.FileInfo, rights fs.FileMode) bool {
	if info.Mode()&fs.ModeSymlink != 0 {
		return false
	}
	mode := info.Mode().Perm() & rights
	if s, ok := info.Sys().(*syscall.Stat_t); ok && s.Gid == s.Uid {
		mode &^= 0o070
	}
	return mode != 0
}

// matching gives the paths of names, of which one ending in "/*" is everything in a directory.
func matching(dir string, names []string) []string {
	var list []string
	for _, name := range names {
		folder, all := strings.CutSuffix(name, "/*")
		if !all {
			list = append(list, filepath.Join(dir, name))
			continue
		}
		inside, _ := os.ReadDir(filepath.Join(dir, folder)) // what is not there, nobody writes
		for _, x := range inside {
			list = append(list, filepath.Join(dir, folder, x.Name()))
		}
	}
	return list
}
