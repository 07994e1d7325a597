package ledger

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"

	"github.com/cockroachdb/pebble/v2"

	"github.com/watu-ledger/watu/events/journal"
)

// A dump is a line with its version and then chunks, each of
//
//	kind (1 byte)  length (4 bytes)  contents  sum (32 bytes)
//
// where the sum is the SHA-256 of the sum of the chunk before (zeros for the first), the kind,
// the length and the contents. The first chunk holds the text of LEDGER; then come chunks of
// entries in the order of their keys, each entry as the lengths of its key and value (varints)
// and their bytes; the last holds the text of CHECKPOINT, and nothing follows it.
const (
	dumpTitle   = "watu dump "
	dumpVersion = "1\n"

	chunkIdentity   byte = 'i'
	chunkEntries    byte = 'e'
	chunkCheckpoint byte = 'c'

	lenChunkHead = 1 + 4
	sizeChunk    = 256 << 10                            // of entries, but for a single one that is larger
	maxChunk     = journal.MaxStep + journal.MaxStep/16 // far beyond any entry
)

// Dump writes the whole record as it is now, for [Load], while the ledger goes on. It checks
// what it writes: a record that contradicts itself is an [ErrDamaged]. It gives the checkpoint
// of what it wrote.
func (l *Ledger) Dump(w io.Writer) (Checkpoint, error) {
	if err := l.enter(); err != nil {
		return Checkpoint{}, err
	}
	defer l.leave()
	c, err := l.dump(w)
	if err != nil {
		return Checkpoint{}, fmt.Errorf("dump ledger %s: %w", l.dir.path, err)
	}
	return c, nil
}

func (l *Ledger) dump(w io.Writer) (c Checkpoint, err error) {
	if err := l.doubted(); err != nil {
		return c, err
	}
	snapshot := l.db.NewSnapshot()
	defer func() { err = cmp.Or(err, snapshot.Close()) }()
	// Pebble shows a batch before it is synced: wait for those that are in the snapshot.
	l.gathering.Lock()
	last := l.last
	l.gathering.Unlock()
	if last != nil {
		if err := l.await(last); err != nil {
			return c, err
		}
	}
	d := &dumper{w: w}
	if _, err := io.WriteString(w, dumpTitle+dumpVersion); err != nil {
		return c, err
	}
	id := *l.born.Load()
	id.Format = formatVersion
	if err := d.chunk(chunkIdentity, id.text()); err != nil {
		return c, err
	}
	if c, err = l.dumpEntries(snapshot, d); err != nil {
		return c, err
	}
	return c, d.chunk(chunkCheckpoint, c.text())
}

func (l *Ledger) dumpEntries(snapshot *pebble.Snapshot, d *dumper) (c Checkpoint, err error) {
	it, err := snapshot.NewIter(nil)
	if err != nil {
		return c, unread(err)
	}
	defer func() { err = unread(cmp.Or(it.Error(), err, it.Close())) }()
	a := newAudit(l.id)
	for ok := it.First(); ok; ok = it.Next() {
		if kind := it.Key()[0]; kind == keyBeside || kind == keyMark {
			continue // of this directory, and not of the ledger
		}
		if err := a.entry(it.Key(), it.Value()); err != nil {
			return c, err
		}
		if err := d.entry(it.Key(), it.Value()); err != nil {
			return c, err
		}
		select {
		case <-l.ending:
			return c, ErrClosed
		default:
		}
	}
	if err := cmp.Or(it.Error(), d.flush()); err != nil {
		return c, err
	}
	return a.end()
}

// dumper writes chunks.
type dumper struct {
	w       io.Writer
	sum     [sha256.Size]byte
	entries []byte
}

func (d *dumper) entry(key, value []byte) error {
	if len(d.entries) > 0 && len(d.entries)+len(key)+len(value) > sizeChunk {
		if err := d.flush(); err != nil {
			return err
		}
	}
	d.entries = binary.AppendUvarint(d.entries, uint64(len(key)))
	d.entries = binary.AppendUvarint(d.entries, uint64(len(value)))
	d.entries = append(append(d.entries, key...), value...)
	return nil
}

func (d *dumper) flush() error {
	if len(d.entries) == 0 {
		return nil
	}
	defer func() { d.entries = d.entries[:0] }()
	return d.chunk(chunkEntries, d.entries)
}

func (d *dumper) chunk(kind byte, contents []byte) error {
	head := binary.BigEndian.AppendUint32([]byte{kind}, uint32(len(contents)))
	d.sum = sumChunk(d.sum, head, contents)
	for _, part := range [][]byte{head, contents, d.sum[:]} {
		if _, err := d.w.Write(part); err != nil {
			return err
		}
	}
	return nil
}

func sumChunk(before [sha256.Size]byte, head, contents []byte) (sum [sha256.Size]byte) {
	h := sha256.New()
	h.Write(before[:])
	h.Write(head)
	h.Write(contents)
	h.Sum(sum[:0])
	return sum
}

// dumpReader reads chunks.
type dumpReader struct {
	r        io.Reader
	sum      [sha256.Size]byte
	contents bytes.Buffer
}

// title reads the first line.
func (d *dumpReader) title() error {
	line := make([]byte, len(dumpTitle)+len(dumpVersion))
	if _, err := io.ReadFull(d.r, line); err != nil {
		return cut(err)
	}
	version, titled := bytes.CutPrefix(line, []byte(dumpTitle))
	if !titled {
		return fmt.Errorf("%w: it does not begin as a dump", ErrDump)
	}
	if string(version) != dumpVersion {
		return fmt.Errorf("%w: a dump of another version (%q) than this watu's %q", ErrNewer, version, dumpVersion)
	}
	return nil
}

// next reads a chunk. Its contents are good until the next.
func (d *dumpReader) next() (kind byte, contents []byte, err error) {
	var head [lenChunkHead]byte
	if _, err := io.ReadFull(d.r, head[:]); err != nil {
		return 0, nil, cut(err)
	}
	size := int64(binary.BigEndian.Uint32(head[1:]))
	if size > maxChunk {
		return 0, nil, fmt.Errorf("%w: a chunk of %d bytes", ErrDump, size)
	}
	d.contents.Reset()
	if _, err := io.CopyN(&d.contents, d.r, size); err != nil { // grows with what comes, whatever the size says
		return 0, nil, cut(err)
	}
	var sum [sha256.Size]byte
	if _, err := io.ReadFull(d.r, sum[:]); err != nil {
		return 0, nil, cut(err)
	}
	if d.sum = sumChunk(d.sum, head[:], d.contents.Bytes()); d.sum != sum {
		return 0, nil, fmt.Errorf("%w: a chunk has another sum than it says", ErrDump)
	}
	return head[0], d.contents.Bytes(), nil
}

// end checks that nothing follows.
func (d *dumpReader) end() error {
	var one [1]byte
	switch n, err := io.ReadFull(d.r, one[:]); {
	case n > 0:
		return fmt.Errorf("%w: something follows its end", ErrDump)
	case err != io.EOF:
		return fmt.Errorf("%w: %w", ErrDump, err)
	}
	return nil
}

func cut(err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return fmt.Errorf("%w: it ends too early", ErrDump)
	}
	return fmt.Errorf("%w: %w", ErrDump, err)
}

// nextEntry takes an entry off the contents of a chunk.
func nextEntry(contents []byte) (key, value, rest []byte, err error) {
	k, n := binary.Uvarint(contents)
	v, m := binary.Uvarint(contents[max(n, 0):])
	if n <= 0 || m <= 0 || k > uint64(len(contents)) || v > uint64(len(contents)) ||
		uint64(len(contents)-n-m) < k+v {
		return nil, nil, nil, fmt.Errorf("%w: an entry reaches beyond its chunk", ErrDump)
	}
	contents = contents[n+m:]
	return contents[:k], contents[k : k+v], contents[k+v:], nil
}
