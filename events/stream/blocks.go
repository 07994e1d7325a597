package stream

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// nats-server 2.15.2 keeps messages in files N.blk, each as
//
//	length (4 bytes, its highest bit: has headers)  sequence (8)  time (8)  length of the subject (2)  …  hash (8)
//
// little-endian. The two highest bits of a sequence mark a message as erased and as a tombstone.
const (
	lenBlockHead = 22
	lenBlockHash = 8
	hasHeaders   = 1 << 31
	isErased     = 1 << 63
	isTombstone  = 1 << 62
)

// mostGap is how far apart the sequences of neighbours in our streams may be: they have no holes, and the
// server needs a few bytes for each number that is left out.
const mostGap = 1 << 20

// walkBlocks looks at the sequences in the files of a store that was not closed in good order, for which there is no
// list. Where they leap, the server would fill the gap. Everything else it finds out itself, by its
// hashes, and so does the comparison with the record.
func walkBlocks(dir string) error {
	files, err := filepath.Glob(filepath.Join(dir, storeFolder, "*", "streams", "*", "msgs", "*.blk"))
	if err != nil {
		return err
	}
	slices.SortFunc(files, func(a, b string) int {
		if x := strings.Compare(filepath.Dir(a), filepath.Dir(b)); x != 0 {
			return x
		}
		return numberOf(a) - numberOf(b)
	})
	stream, last := "", uint64(0)
	for _, file := range files {
		if folder := filepath.Dir(file); folder != stream {
			stream, last = folder, 0
			if numberOf(file) > 1 {
				last = anywhere
			}
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if last, err = walkBlock(text, last); err != nil {
			name, _ := filepath.Rel(dir, file)
			return fmt.Errorf("%w: %s: %w", ErrStoreDamaged, name, err)
		}
	}
	return nil
}

func numberOf(file string) int {
	n, _ := strconv.Atoi(strings.TrimSuffix(filepath.Base(file), ".blk")) // 0 where it is none of the server's
	return n
}

const anywhere = ^uint64(0) // the sequence before the first is not known

// walkBlock gives the last sequence of a file. It ends where a message does not: there the server cuts the file.
func walkBlock(text []byte, last uint64) (uint64, error) {
	for at := 0; len(text)-at >= lenBlockHead; {
		length := int(binary.LittleEndian.Uint32(text[at:]) &^ hasHeaders)
		if length < lenBlockHead+lenBlockHash || length > len(text)-at {
			break
		}
		sequence := binary.LittleEndian.Uint64(text[at+4:])
		at += length
		if sequence&isTombstone != 0 {
			continue // of an earlier message
		}
		sequence &^= isErased
		if last == anywhere {
			last = sequence - 1
		}
		if sequence > last && sequence-last > mostGap {
			return last, fmt.Errorf("sequence %d stands behind %d", sequence, last)
		}
		last = max(last, sequence)
	}
	return last, nil
}
