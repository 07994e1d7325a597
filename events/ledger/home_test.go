package ledger

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// home is where the stream of a ledger in the tests lives.
var home = Home{ID: "K3M7QX2A", Address: "nats://host:4222"}

func TestHomeIsKept(t *testing.T) {
	t.Parallel()
	mem := vfs.NewMem()
	l := openMem(t, mem)
	if l.Home().Known() {
		t.Errorf("a new ledger has the home %+v", l.Home())
	}
	newChain(1).append(t, l, "open", 2)
	if err := l.Settle(home); err != nil {
		t.Fatal(err)
	}
	dump, _ := mustDump(t, l)
	closeLedger(t, l)
	l = openMem(t, mem)
	if l.Home() != home {
		t.Errorf("home %+v after a restart", l.Home())
	}
	closeLedger(t, l)

	other := vfs.NewMem()
	if _, err := Load(dirMem, bytes.NewReader(dump), Options{FS: other}); err != nil {
		t.Fatal(err)
	}
	l = openMem(t, other)
	if l.Home() != home {
		t.Errorf("home %+v of a copy that was loaded", l.Home())
	}
	closeLedger(t, l)
}

// TestFormat1IsRaised opens a directory of an older version, which knew no home.
func TestFormat1IsRaised(t *testing.T) {
	t.Parallel()
	mem := vfs.NewMem()
	l := openMem(t, mem)
	newChain(1).append(t, l, "open", 2)
	id, created := l.ID(), l.born.Load().Created
	closeLedger(t, l)
	old := fmt.Sprintf("{\"format\":1,\"ledger\":%q,\"created\":%q}\n", id, created.Format("2006-01-02T15:04:05Z07:00"))
	writeFile(t, mem, "/watu/ledger/LEDGER", []byte(old))
	for range 2 {
		l = openMem(t, mem)
		if l.ID() != id || l.Home().Known() || l.Durable() != 2 {
			t.Errorf("ledger %s, home %+v, %d events", l.ID(), l.Home(), l.Durable())
		}
		text := readAll(t, mem, "/watu/ledger/LEDGER")
		if !bytes.HasPrefix(text, []byte(`{"format":3,`)) || !bytes.Contains(text, []byte(id.String())) {
			t.Errorf("LEDGER holds %s", text)
		}
		closeLedger(t, l)
	}
}

// TestFormat2IsRaised opens a directory of a watu that knew no event of schema 2: it keeps its home.
func TestFormat2IsRaised(t *testing.T) {
	t.Parallel()
	mem := vfs.NewMem()
	l := openMem(t, mem)
	newChain(1).append(t, l, "open", 2)
	if err := l.Settle(home); err != nil {
		t.Fatal(err)
	}
	id := *l.born.Load()
	closeLedger(t, l)
	id.Format = 2
	writeFile(t, mem, "/watu/ledger/LEDGER", id.text())
	l = openMem(t, mem)
	if l.Home() != home || l.Durable() != 2 {
		t.Errorf("home %+v, %d events", l.Home(), l.Durable())
	}
	closeLedger(t, l)
	if text := readAll(t, mem, "/watu/ledger/LEDGER"); !bytes.HasPrefix(text, []byte(`{"format":3,`)) {
		t.Errorf("LEDGER holds %s", text)
	}
}

// TestEveryBitOfLEDGER flips each bit of the file in turn: no flip opens a ledger, let alone with
// another home.
func TestEveryBitOfLEDGER(t *testing.T) {
	t.Parallel()
	mem := vfs.NewMem()
	l := openMem(t, mem)
	newChain(1).append(t, l, "open", 1)
	if err := l.Settle(home); err != nil {
		t.Fatal(err)
	}
	closeLedger(t, l)
	text := readAll(t, mem, "/watu/ledger/LEDGER")
	for i := range 8 * len(text) {
		flipped := bytes.Clone(text)
		flipped[i/8] ^= 1 << (i % 8)
		writeFile(t, mem, "/watu/ledger/LEDGER", flipped)
		_, err := Open(dirMem, Options{FS: mem})
		if !errors.Is(err, ErrDamaged) && !errors.Is(err, ErrNotLedger) {
			t.Fatalf("bit %d of %s: %v", i, flipped, err)
		}
	}
	writeFile(t, mem, "/watu/ledger/LEDGER", text)
	closeLedger(t, openMem(t, mem))
}
