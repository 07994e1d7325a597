package ledger

import (
	"bytes"
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
)

var (
	faultTruncations = flag.Int("fault.truncations", 10, "sampled truncations of each file of a ledger")
	faultFlips       = flag.Int("fault.flips", 40, "sampled bit flips of each file of a ledger")
)

// TestDamagedFiles damages each file of a closed ledger at sampled places: then either the
// ledger says so, when it is opened or when it is read, or all of it reads as before.
func TestDamagedFiles(t *testing.T) {
	whole, chains, want := populated(t)
	for _, path := range whole.paths() {
		t.Run(path, func(t *testing.T) {
			t.Parallel()
			text := whole[path]
			random := rand.New(rand.NewPCG(7, uint64(len(path))))
			var count, same int
			try := func(what string, bad []byte) {
				err := readBack(t, whole.with(path, bad), chains, want)
				switch {
				case err == errOther:
					t.Errorf("%s, of %d bytes: read in silence, and it is another ledger", what, len(text))
				case err != nil:
					count++
				default:
					same++
				}
			}
			for n := range min(*faultTruncations, len(text)) {
				at := random.IntN(len(text))
				if n == 0 {
					at = 0
				}
				try(fmt.Sprint("cut at ", at), bytes.Clone(text[:at]))
			}
			for range min(*faultFlips, 8*len(text)) {
				at, bit := random.IntN(len(text)), random.IntN(8)
				bad := bytes.Clone(text)
				bad[at] ^= 1 << bit
				try(fmt.Sprintf("bit %d of byte %d", bit, at), bad)
			}
			t.Logf("%d bytes: %d faults said, %d without a consequence", len(text), count, same)
		})
	}
}

// populated gives the files of a closed ledger with tables, with a write-ahead log that holds
// the newest steps alone, and with all kinds of entry; and all that it can be asked.
func populated(t *testing.T) (whole diskFiles, chains []*chain, want string) {
	t.Helper()
	mem := vfs.NewCrashableMem()
	l, err := openWith(t, mem, Options{})
	if err != nil {
		t.Fatal(err)
	}
	chains = populate(t, l, 90)
	want = mustEverything(t, l, chains)
	closeLedger(t, l)
	whole = readDisk(t, mem, dirMem)
	kinds := map[string]int{}
	for path, text := range whole {
		if i := strings.LastIndexByte(path, '.'); i > 0 && len(text) > 0 {
			kinds[path[i:]]++
		}
	}
	if kinds[".sst"] == 0 || kinds[".log"] == 0 {
		t.Fatalf("the ledger has no table or no log: %v", whole.paths())
	}
	return whole, chains, want
}

var errOther = fmt.Errorf("another ledger")

// readBack opens the damaged ledger and reads all of it. It gives what the ledger says of the
// damage, nil if all is as it was, or errOther.
func readBack(t *testing.T, d diskFiles, chains []*chain, want string) error {
	t.Helper()
	var mu sync.Mutex
	var fatal error
	l, err := Open(dirMem, Options{
		FS: d.files(t), Stall: 10 * time.Second,
		Fatal: func(err error) {
			mu.Lock()
			defer mu.Unlock()
			fatal = err
		},
	})
	if err != nil {
		return err
	}
	got, err := everything(l, chains)
	if closing := l.Close(); err == nil {
		err = closing
	}
	mu.Lock()
	defer mu.Unlock()
	if err == nil {
		err = fatal
	}
	if err == nil && got != want {
		return errOther
	}
	return err
}
