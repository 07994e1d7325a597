package ledger

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"

	"github.com/watu-ledger/watu/fixtures/longrun"
)

var (
	crashCycles = flag.Int("crash.cycles", longrun.Of(500, 2000), "append, crash and reopen cycles")
	crashSeed   = flag.Uint64("crash.seed", 0, "run the one crash life with this seed")
)

// cyclesInLife is how often one ledger crashes before the next is begun, so that crashes
// meet ledgers of every age, the newborn included.
const cyclesInLife = 50

// TestCrash appends, pulls the plug at a random operation of the file system, with a random
// part of what was not synced surviving, and opens what is left. The checkpoint is written all the time, and is
// never ahead of the record.
func TestCrash(t *testing.T) {
	if *crashSeed != 0 {
		crashLife(t, *crashSeed)
		return
	}
	var cycles, died, promised atomic.Int64
	t.Run("lives", func(t *testing.T) {
		for seed := uint64(1); seed <= uint64((*crashCycles+cyclesInLife-1)/cyclesInLife); seed++ {
			t.Run(fmt.Sprint("seed=", seed), func(t *testing.T) {
				t.Parallel()
				middle, checkpoints := crashLife(t, seed)
				died.Add(middle)
				promised.Add(checkpoints)
				cycles.Add(cyclesInLife)
			})
		}
	})
	t.Logf("%d cycles, %d of them in the middle of an append or of the opening; %d left a checkpoint",
		cycles.Load(), died.Load(), promised.Load())
	if promised.Load() < cycles.Load()/2 {
		t.Errorf("only %d crashes of %d left a checkpoint", promised.Load(), cycles.Load())
	}
	if died.Load() < cycles.Load()/2 {
		t.Errorf("only %d crashes of %d came in the middle of something", died.Load(), cycles.Load())
	}
}

// plug is a file system that takes the picture a crash would leave, at a chosen operation.
type plug struct {
	mu      sync.Mutex
	fs      *vfs.MemFS
	cfg     vfs.CrashCloneCfg
	left    int // operations until the crash
	acked   func() []uint64
	after   *vfs.MemFS // what the crash left; nil before it
	promise []uint64   // what had been acknowledged then
}

func (p *plug) MaybeError(op errorfs.Op) error {
	if op.Kind.ReadOrWrite() == errorfs.OpIsRead {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.left--; p.left == 0 {
		p.pull()
	}
	return nil
}

func (p *plug) String() string { return "plug" }

// pull notes the promises first: whatever is acknowledged before the picture must be on it.
func (p *plug) pull() {
	p.promise = p.acked()
	p.after = p.fs.CrashClone(p.cfg)
}

// crashLife runs one ledger through its crashes. It gives how many came in the middle, and
// how many left a checkpoint.
func crashLife(t *testing.T, seed uint64) (middle, checkpoints int64) {
	random := rand.New(rand.NewPCG(seed, 48))
	chains := []*chain{newChain(1), newChain(2), newChain(3)}
	fs := vfs.NewCrashableMem()
	for cycle := range cyclesInLife {
		acked := make([]atomic.Uint64, len(chains))
		for i, c := range chains {
			acked[i].Store(c.next)
		}
		p := &plug{
			fs: fs, left: 1 + random.IntN(60),
			cfg: vfs.CrashCloneCfg{UnsyncedDataPercent: random.IntN(101),
				RNG: rand.New(rand.NewPCG(seed, uint64(cycle)))},
			acked: func() []uint64 {
				promise := make([]uint64, len(acked))
				for i := range acked {
					promise[i] = acked[i].Load()
				}
				return promise
			},
		}
		tried := liveUntilCrash(t, p, chains, acked, random)
		if p.after == nil {
			p.pull()
		} else {
			middle++
		}
		fs = p.after
		c := checkpointOf(t, fs)
		if c != nil {
			checkpoints++
		}
		checkAfterCrash(t, fs, c, chains, p.promise, tried)
		if t.Failed() {
			t.Fatalf("seed %d, cycle %d", seed, cycle)
		}
	}
	return middle, checkpoints
}

// checkpointOf reads the checkpoint that the crash left; nil if it left none.
func checkpointOf(t *testing.T, fs *vfs.MemFS) *Checkpoint {
	text, err := directory{fs, "/watu/ledger"}.read(nameCheckpoint, longFile)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	c, parseErr := parseCheckpoint(text)
	if err = errors.Join(err, parseErr); err != nil {
		t.Error(err)
		return nil
	}
	return &c
}

// liveUntilCrash opens the ledger and appends to every campaign at the same time. It gives
// the steps tried, in order, of each campaign.
func liveUntilCrash(t *testing.T, p *plug, chains []*chain, acked []atomic.Uint64, random *rand.Rand) [][]Step {
	l, err := Open("/watu/ledger", Options{
		FS: errorfs.Wrap(p.fs, p), Fatal: func(err error) { t.Errorf("fatal: %v", err) },
		checkpointEvery: time.Duration(1 + random.IntN(200_000)),
	})
	if err != nil {
		t.Fatal(err)
	}
	defer closeLedger(t, l)
	padding := 0
	if random.IntN(10) == 0 {
		padding = 100 << 10 // fills memory tables, so that Pebble begins new write-ahead logs
	}
	tried := make([][]Step, len(chains))
	var wg sync.WaitGroup
	for i, c := range chains {
		sizes := make([]int, 1+random.IntN(6))
		for k := range sizes {
			sizes[k] = 1 + random.IntN(4)
		}
		mine := *c
		wg.Go(func() {
			for _, n := range sizes {
				s := mine.step(fmt.Sprint("command ", mine.next), n)
				s.Answer = append(s.Answer, make([]byte, padding)...)
				tried[i] = append(tried[i], s)
				if _, err := l.Append(s); err != nil {
					t.Error(err)
					return
				}
				mine.took(s)
				acked[i].Store(mine.next)
			}
		})
	}
	wg.Wait()
	return tried
}

// checkAfterCrash opens what the crash left and moves the chains to where it stands.
func checkAfterCrash(t *testing.T, fs *vfs.MemFS, c *Checkpoint, chains []*chain, promise []uint64, tried [][]Step) {
	l := openMem(t, fs)
	defer closeLedger(t, l)
	if c != nil {
		if err := l.compare(c); err != nil {
			t.Errorf("the checkpoint is ahead: %v", err)
		}
	}
	verify(t, l)
	for i, c := range chains {
		seen, _ := l.Campaign(c.campaign)
		if seen.Events < promise[i] {
			t.Errorf("%s: %d events were acknowledged, %d are left", c.name, promise[i], seen.Events)
		}
		for _, s := range tried[i] {
			if c.next < seen.Events { // kept: the command is known, and answered as before
				c.took(s)
				if again, err := l.Append(s); err != nil || !again.Replayed || again.Head != c.head {
					t.Errorf("%s: a step that was kept is not known: %+v %v", c.name, again, err)
				}
				continue
			}
			if _, found, err := l.Command(c.campaign, s.Command); found || err != nil {
				t.Errorf("%s: command %q is known without its events: %v", c.name, s.Command, err)
			}
			c.append(t, l, s.Command, len(s.Events)) // lost before it was acknowledged: it may come again
			break
		}
		if now, _ := l.Campaign(c.campaign); now.Events != c.next || now.Head != c.head {
			t.Errorf("%s: half a step: %+v, want %d %s", c.name, now, c.next, c.head)
		}
	}
}
