package ledger

import (
	"bytes"
	"io"
	"maps"
	"slices"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"github.com/watu-ledger/watu/events/ledger/disk"
)

// disk is what files a directory holds, by path.
type diskFiles map[string][]byte

// readDisk reads all files under dir, but not HOLDER and LOCK, which say who is here.
func readDisk(t testing.TB, fs vfs.FS, dir string) diskFiles {
	t.Helper()
	d := diskFiles{}
	names, err := fs.List(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		path := fs.PathJoin(dir, name)
		info, err := fs.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if info.IsDir() {
			maps.Copy(d, readDisk(t, fs, path))
		} else if name != nameHolder && name != nameLock {
			d[path] = readAll(t, fs, path)
		}
	}
	return d
}

func readAll(t testing.TB, fs vfs.FS, path string) []byte {
	t.Helper()
	f, err := fs.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	text, err := io.ReadAll(f)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// files is a file system with these files, all of them synced.
func (d diskFiles) files(t testing.TB) *vfs.MemFS {
	t.Helper()
	mem := vfs.NewCrashableMem()
	for path, text := range d {
		writeFile(t, mem, path, text)
	}
	return mem
}

// writeFile writes a copy of text: a file in memory may spoil what it is given.
func writeFile(t testing.TB, fs vfs.FS, path string, text []byte) {
	t.Helper()
	if err := fs.MkdirAll(fs.PathDir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	d := directory{fs, fs.PathDir(path)}
	if err := d.write(fs.PathBase(path), bytes.Clone(text)); err != nil {
		t.Fatal(err)
	}
	for dir := fs.PathDir(path); ; dir = fs.PathDir(dir) {
		if err := disk.SyncDir(fs, dir); err != nil {
			t.Fatal(err)
		}
		if dir == fs.PathDir(dir) {
			return
		}
	}
}

func (d diskFiles) paths() []string { return slices.Sorted(maps.Keys(d)) }

// with is the disk with another text in one file; nil removes the file.
func (d diskFiles) with(path string, text []byte) diskFiles {
	other := maps.Clone(d)
	if other[path] = text; text == nil {
		delete(other, path)
	}
	return other
}

func (d diskFiles) equal(other diskFiles) bool { return maps.EqualFunc(d, other, bytes.Equal) }
