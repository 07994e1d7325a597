package stream

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// sumsFile lists the files of a store that was closed in good order, with a checksum of each.
// nats-server 2.15.2 believes the sequence numbers in its files: a flipped bit in one makes it
// fill the gap in memory until there is none left. So a store is held against its list before
// the server sees it. The list is gone while a server runs; after a crash there is none, and the sequences are
// looked at instead (walkBlocks).
const sumsFile = "SUMS"

// storeFolder is where nats-server keeps its files; what else lies in the directory is not its.
const storeFolder = "jetstream"

// ErrStoreDamaged is wrapped when the files of a closed store have changed.
var ErrStoreDamaged = errors.New("the stream's files have changed since they were closed")

// sums gives a line for each file: checksum, size, path.
func sums(dir string) ([]byte, error) {
	var list []string
	err := fs.WalkDir(os.DirFS(dir), storeFolder, func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) && path == storeFolder {
			return nil
		}
		if err != nil || d.IsDir() {
			return err
		}
		sum, size, err := sumOf(filepath.Join(dir, path))
		list = append(list, fmt.Sprintf("%08x %d %q\n", sum, size, path))
		return err
	})
	slices.Sort(list)
	var b bytes.Buffer
	for _, line := range list {
		b.WriteString(line)
	}
	return b.Bytes(), err
}

func sumOf(path string) (sum uint32, size int64, err error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, 0, err
	}
	h := crc32.New(crc32.MakeTable(crc32.Castagnoli))
	size, err = io.Copy(h, f)
	return h.Sum32(), size, errors.Join(err, f.Close())
}

// sealStore writes the list of a store whose server has stopped.
func sealStore(dir string) error {
	list, err := sums(dir)
	if err != nil {
		return err
	}
	path := filepath.Join(dir, sumsFile)
	fresh := path + ".new" // half a list would damn the store
	if err := os.WriteFile(fresh, list, 0o600); err != nil {
		_ = os.Remove(fresh)
		return err
	}
	return os.Rename(fresh, path)
}

// unsealStore holds a store against its list, if there is one, and takes that away.
func unsealStore(dir string) error {
	path := filepath.Join(dir, sumsFile)
	was, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return walkBlocks(dir)
	}
	if err != nil {
		return err
	}
	is, err := sums(dir)
	if err != nil {
		return err
	}
	if !bytes.Equal(was, is) {
		return fmt.Errorf("%w: %s", ErrStoreDamaged, firstDifference(was, is))
	}
	return os.Remove(path)
}

// firstDifference names a file that is not as listed.
func firstDifference(was, is []byte) string {
	there := map[string]bool{}
	for line := range bytes.Lines(is) {
		there[string(line)] = true
	}
	in := bufio.NewScanner(bytes.NewReader(was))
	for in.Scan() {
		if !there[in.Text()+"\n"] {
			return in.Text()
		}
	}
	return "a file too many"
}

// setAside gives way to a new store; the damaged one stays beside it, under the name returned.
func setAside(dir string) (string, error) {
	for n := 1; ; n++ {
		aside := fmt.Sprintf("%s.damaged-%d", filepath.Clean(dir), n)
		if _, err := os.Stat(aside); errors.Is(err, fs.ErrNotExist) {
			return aside, os.Rename(dir, aside)
		}
	}
}
