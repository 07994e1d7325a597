package live

import (
	"encoding/json"
	"runtime"
	"sync"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
)

// frame is one event as it is sent. Its body is shared by all who send it, and never changed.
type frame struct {
	campaign        ulid.ULID
	index, sequence uint64
	body            []byte // what stands behind the line of the id
}

func frameOf(b timeline.PublicEvent) frame {
	text, err := json.Marshal(b)
	if err != nil {
		panic(err) // strings and numbers
	}
	body := make([]byte, 0, len(text)+len("event: event\ndata: \n\n"))
	body = append(append(append(body, "event: event\ndata: "...), text...), "\n\n"...)
	return frame{campaign: b.ID, index: b.Index, sequence: b.Sequence, body: body}
}

// Bounds of the ring, and of what one reader takes at a time.
const (
	ringFrames   = 4096
	ringBytes    = 4 << 20
	handful      = 64
	handfulBytes = 32 << 10 // one frame may be larger
)

// ring is the newest frames, without holes.
type ring struct {
	mu     sync.Mutex
	frames []frame
	last   uint64 // sequence of the last frame, or where the ring began
	bytes  int
	moved  [groups]chan struct{} // each closed and replaced when its readers are woken
	err    error                 // why no more frames come
}

// groups is how many groups readers are in: one after the other is woken, so that whoever appends waits for a group to
// be served, and not for all.
const groups = 128

func newRing(last uint64) *ring {
	g := &ring{last: last}
	for i := range g.moved {
		g.moved[i] = make(chan struct{})
	}
	return g
}

// add appends frames. The older half goes when there are too many.
func (g *ring) add(frames []frame) {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, f := range frames {
		g.frames, g.bytes, g.last = append(g.frames, f), g.bytes+len(f.body), f.sequence
		for len(g.frames) > ringFrames || g.bytes > ringBytes && len(g.frames) > 1 {
			half := (len(g.frames) + 1) / 2
			for _, old := range g.frames[:half] {
				g.bytes -= len(old.body)
			}
			g.frames = append([]frame(nil), g.frames[half:]...)
		}
	}
}

// wake lets the readers look, group by group. Between two the processors are everybody's.
func (g *ring) wake() {
	for i := range g.moved {
		g.mu.Lock()
		close(g.moved[i])
		g.moved[i] = make(chan struct{})
		g.mu.Unlock()
		runtime.Gosched()
	}
}

func (g *ring) fail(err error) {
	g.mu.Lock()
	g.err = err
	g.mu.Unlock()
	g.wake()
}

func (g *ring) failure() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.err
}

func (g *ring) held() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.bytes
}

// taken is what a look into the ring gave.
type taken struct {
	frames []frame
	behind bool          // the ring begins later than the cursor: the record has to be read
	moved  chan struct{} // closed when it is worth looking again
	err    error         // why nothing more will come; when there are no frames
}

// take gives what the cursor wants of the frames behind it, a handful at most, and moves it.
func (g *ring) take(c *cursor, some []frame) taken {
	g.mu.Lock()
	defer g.mu.Unlock()
	out := taken{frames: some[:0], moved: g.moved[c.group]}
	first := g.last + 1 - uint64(len(g.frames))
	if c.at+1 < first {
		out.behind = true
		return out
	}
	size := 0
	for c.at < g.last && len(out.frames) < handful && size < handfulBytes {
		f := g.frames[c.at+1-first]
		c.at = f.sequence
		if c.wants(f) {
			out.frames, size = append(out.frames, f), size+len(f.body)
		}
	}
	if len(out.frames) == 0 {
		out.err = g.err
	}
	return out
}
