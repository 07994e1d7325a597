package ledger

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
)

// Checkpoint says how far a record reaches: every event of every campaign, by the hashes of
// the last ones.
type Checkpoint struct {
	Ledger    ulid.ULID
	Sequence  uint64     // of the last event
	Campaigns []Campaign // by id; the file CHECKPOINT holds no names
}

// Equal reports whether both reach as far, with the same events. Names are in the events.
func (c Checkpoint) Equal(d Checkpoint) bool { return bytes.Equal(c.text(), d.text()) }

const (
	checkpointTitle   = "watu checkpoint "
	checkpointVersion = "1"
	checkpointSum     = "sha256 "
)

// text is what the file holds.
func (c Checkpoint) text() []byte {
	b := fmt.Appendf(nil, "%s%s\n%s\n%d\n", checkpointTitle, checkpointVersion, c.Ledger, c.Sequence)
	for _, g := range c.Campaigns {
		b = fmt.Appendf(b, "%s %d %s\n", g.ID, g.Events, g.Head)
	}
	return fmt.Appendf(b, "%s%x\n", checkpointSum, sha256.Sum256(b))
}

// parseCheckpoint reads what text wrote, and nothing else.
func parseCheckpoint(text []byte) (c Checkpoint, err error) {
	body := text[:bytes.LastIndexByte(bytes.TrimSuffix(text, []byte("\n")), '\n')+1]
	if string(text[len(body):]) != fmt.Sprintf("%s%x\n", checkpointSum, sha256.Sum256(body)) {
		return c, fmt.Errorf("%w: its last line does not vouch for the others", ErrCheckpoint)
	}
	lines := strings.Split(string(body), "\n")
	version, titled := strings.CutPrefix(lines[0], checkpointTitle)
	if titled && version != checkpointVersion {
		return c, fmt.Errorf("%w: checkpoint of version %s, and this watu knows %s", ErrNewer, version,
			checkpointVersion)
	}
	if len(lines) < 4 {
		return c, fmt.Errorf("%w: %d lines", ErrCheckpoint, len(lines))
	}
	c.Ledger, _ = ulid.ParseStrict(lines[1])
	c.Sequence, _ = strconv.ParseUint(lines[2], 10, 64)
	var total uint64
	for _, line := range lines[3 : len(lines)-1] {
		var g Campaign
		if part := strings.Fields(line); len(part) == 3 {
			g.ID, _ = ulid.ParseStrict(part[0])
			g.Events, _ = strconv.ParseUint(part[1], 10, 64)
			_ = g.Head.UnmarshalText([]byte(part[2]))
		}
		total += g.Events
		c.Campaigns = append(c.Campaigns, g)
	}
	// What could not be read comes out as zero, and then the text is another.
	if !bytes.Equal(c.text(), text) || total != c.Sequence ||
		!slices.IsSortedFunc(c.Campaigns, func(a, b Campaign) int { return a.ID.Compare(b.ID) }) {
		return c, fmt.Errorf("%w: it contradicts itself", ErrCheckpoint)
	}
	return c, nil
}

// readCheckpoint gives nil if there is none.
func (d directory) readCheckpoint(ledger ulid.ULID) (*Checkpoint, error) {
	text, err := d.read(nameCheckpoint, longFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var c Checkpoint
	if err == nil {
		c, err = parseCheckpoint(text)
	} else if errors.Is(err, ErrDamaged) {
		err = fmt.Errorf("%w: %v", ErrCheckpoint, err)
	}
	if err == nil && c.Ledger != ledger {
		err = fmt.Errorf("%w: it belongs to another ledger, %s", ErrCheckpoint, c.Ledger)
	}
	if errors.Is(err, ErrCheckpoint) {
		err = fmt.Errorf("%w; nothing vouches for the end of the record, which must be compared "+
			"with the stream or a backup", err)
	}
	return &c, err
}

// Checkpoint says how far the record reaches that is durable.
func (l *Ledger) Checkpoint() Checkpoint {
	l.published.Lock()
	defer l.published.Unlock()
	return l.checkpoint()
}

// checkpoint is Checkpoint with published held.
func (l *Ledger) checkpoint() Checkpoint {
	c := Checkpoint{Ledger: l.id, Sequence: l.Durable(), Campaigns: slices.Grow([]Campaign(nil), len(l.shown))}
	for _, g := range l.shown {
		c.Campaigns = append(c.Campaigns, g.seen)
	}
	slices.SortFunc(c.Campaigns, func(a, b Campaign) int { return a.ID.Compare(b.ID) })
	return c
}

// CheckpointError says where a record contradicts its checkpoint. It is an [ErrDiffers] if it
// has another event at one of the places, else an [ErrShort].
type CheckpointError struct {
	Dir       string
	Campaigns []Difference
}

// Difference is a campaign whose record is not what the checkpoint says ("there").
type Difference struct {
	Campaign    ulid.ULID
	Name        string // empty if the record does not know the campaign
	EventsThere uint64
	EventsHere  uint64
	HashThere   events.Hash // of the last event of EventsThere
	HashHere    events.Hash // of the event at that place, or of the last one if the record is shorter
}

func (d Difference) differs() bool { return d.EventsHere >= d.EventsThere }

func (d Difference) String() string {
	who := "campaign " + d.Campaign.String()
	if d.Name != "" {
		who = fmt.Sprintf("campaign %s (%s)", d.Name, d.Campaign)
	}
	if d.differs() {
		return fmt.Sprintf("%s has the hash %s at event %d, not %s", who, d.HashHere, d.EventsThere-1, d.HashThere)
	}
	return fmt.Sprintf("%s has %d of %d events", who, d.EventsHere, d.EventsThere)
}

func (e *CheckpointError) Error() string {
	const listed = 3
	var lines []string
	for _, d := range e.Campaigns[:min(listed, len(e.Campaigns))] {
		lines = append(lines, d.String())
	}
	if more := len(e.Campaigns) - listed; more > 0 {
		lines = append(lines, fmt.Sprintf("%d campaigns more", more))
	}
	return fmt.Sprintf("%v: %s; nothing was changed: repair it from the stream or a backup",
		e.Unwrap(), strings.Join(lines, ", "))
}

// Unwrap gives ErrDiffers or ErrShort.
func (e *CheckpointError) Unwrap() error {
	if slices.ContainsFunc(e.Campaigns, Difference.differs) {
		return ErrDiffers
	}
	return ErrShort
}

// compare compares the record, with nothing in flight in the campaigns of the checkpoint. It
// gives a *CheckpointError if the record contradicts the checkpoint.
func (l *Ledger) compare(promise *Checkpoint) error {
	e := &CheckpointError{Dir: l.dir.path}
	for _, there := range promise.Campaigns {
		here, _ := l.Campaign(there.ID)
		d := Difference{
			Campaign: there.ID, Name: here.Name, EventsThere: there.Events, EventsHere: here.Events,
			HashThere: there.Head, HashHere: here.Head,
		}
		if here.Events > there.Events {
			err := l.get(numberKey(keyRecord, there.ID, there.Events-1), func(value []byte) error {
				if len(value) >= 8 {
					d.HashHere = events.LeafHash(bytesOf(value))
				}
				return nil
			})
			if err != nil {
				return fmt.Errorf("%w: event %d of campaign %s: %w", ErrDamaged, there.Events-1, here.Name, err)
			}
		}
		if here.Events < there.Events || d.HashHere != there.Head {
			e.Campaigns = append(e.Campaigns, d)
		}
	}
	if len(e.Campaigns) == 0 {
		return nil
	}
	return e
}
