//go:build unix

package maintenance

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
)

// What a ledger's directory holds that its owner alone may write: others could put their own dice to
// come, or a token of their own, in its place.
var own = []string{
	"record", "secrets", "secrets/*", "boards", "boards/*", "imports", "imports/*", "refusals", "refusals/*",
	"keys", "keys/*", "notes", "notes/*", "orders", "orders/*", "tokens", "archived", "archived/*", "views", "stream",
}

// What he alone should read: it reveals dice to come, hands, or who holds which token.
var secret = []string{"record", "secrets", "secrets/*", "refusals", "refusals/*", "keys", "keys/*", "orders",
	"orders/*", "tokens"}

// guarded refuses a directory that others can write, and says once if others can read its secrets. Others
// are everybody, a group, and an owner who is neither this user nor root, though root is but warned of the
// owner of the whole directory; but a group whose number is its owner's is taken for his alone. Where nobody else may
// enter the ledger's directory, files of other names in it may be as they are. Where a symbolic link leads, and the
// folders in which the link and its target lie, the same is asked.
func guarded(dir string, say func(string)) error {
	top, err := os.Stat(dir)
	if err != nil {
		return nil // that it is missing, others say
	}
	keepers := []uint32{0, uint32(os.Geteuid())}
	if others(top, 0o022) {
		return writable(dir)
	}
	if owner := ownerOf(top); !slices.Contains(keepers, owner) {
		if os.Geteuid() != 0 {
			return another(dir, top)
		}
		// Root looks after the ledgers of others, and asked for this one by name.
		say(fmt.Sprintf("%s belongs to user %d, who can write it, and may not open what root writes there: "+
			"run watu as that user", dir, owner))
		keepers = append(keepers, owner)
	}
	names := own
	entered := others(top, 0o011)
	if entered {
		names = append([]string{"LEDGER", "CHECKPOINT", "READONLY"}, own...)
	}
	for _, path := range matching(dir, names) {
		if err := entrusted(path, keepers); err != nil {
			return err
		}
	}
	if !entered {
		return nil
	}
	for _, folder := range []string{"record", "views", "stream"} {
		if err := guardedInside(filepath.Join(dir, folder), keepers); err != nil {
			return err
		}
	}
	for _, path := range matching(dir, secret) {
		if info, err := os.Stat(path); err == nil && others(info, 0o044) {
			say("others can read " + path + ", which holds secrets of the ledger: chmod -R go-rwx " + dir)
			break
		}
	}
	return nil
}

// guardedInside refuses a folder in which others can write, as far as they can enter it.
func guardedInside(folder string, keepers []uint32) error {
	if real, err := filepath.EvalSymlinks(folder); err == nil {
		folder = real
	}
	return filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return nil // what is not there, nobody writes
		}
		info, err := e.Info()
		switch {
		case err != nil:
			return nil
		case info.Mode()&fs.ModeSymlink != 0:
			return entrusted(path, keepers)
		case others(info, 0o022):
			return writable(path)
		case !slices.Contains(keepers, ownerOf(info)):
			return another(path, info)
		case e.IsDir() && !others(info, 0o011):
			return fs.SkipDir
		}
		return nil
	})
}

// mostLinks is how many symbolic links may lead from one to the next, as systems have it.
const mostLinks = 40

// entrusted refuses a path that others can write, or where a link leads that they can write or have lead elsewhere.
func entrusted(path string, keepers []uint32) error {
	for range mostLinks {
		info, err := os.Lstat(path)
		if err != nil {
			return nil // what is not there, nobody writes
		}
		if !slices.Contains(keepers, ownerOf(info)) {
			return another(path, info)
		}
		if info.Mode()&fs.ModeSymlink == 0 {
			// nothing else is read, and it is damage
			if others(info, 0o022) && (info.IsDir() || info.Mode().IsRegular()) {
				return writable(path)
			}
			return nil
		}
		to, err := os.Readlink(path)
		if err != nil {
			return nil
		}
		if !filepath.IsAbs(to) {
			to = filepath.Join(filepath.Dir(path), to)
		}
		path = to
		folder, err := os.Stat(filepath.Dir(path))
		switch {
		case err != nil:
			return nil
		case !slices.Contains(keepers, ownerOf(folder)):
			return another(filepath.Dir(path), folder)
		// in a sticky one nobody moves what is another's
		case others(folder, 0o022) && folder.Mode()&fs.ModeSticky == 0:
			return writable(filepath.Dir(path))
		}
	}
	return nil // it leads nowhere
}

// another says that another user can write, since it is his.
func another(path string, info fs.FileInfo) error {
	return problem.New(problem.Unverified, "user %d, to whom %s belongs, can write it, and so change dice to come, "+
		"cards and tokens: chown it, and look after what lies there before you go on", ownerOf(info), path)
}

// ownerOf is the number of the user to whom a file belongs.
func ownerOf(info fs.FileInfo) uint32 {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return s.Uid
	}
	return uint32(os.Geteuid())
}

// writable says that others can write.
func writable(path string) error {
	return problem.New(problem.Unverified, "others can write %s, and so change dice to come, cards and tokens: chmod "+
		"go-w %s, and look after what lies there before you go on", path, path)
}

// others reports whether somebody else than the owner has one of the rights.
func others(info fs.FileInfo, rights fs.FileMode) bool {
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
