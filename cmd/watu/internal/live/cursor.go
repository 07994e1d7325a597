package live

import (
	"cmp"
	"errors"
	"net/http"
	"strconv"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
)

// cursor is where a reader stands.
type cursor struct {
	campaign ulid.ULID // zero on the stream of all campaigns
	next     uint64    // the campaign's index that comes next
	at       uint64    // sequence behind which the record was not looked through
	group    int       // of readers who are woken together
}

func (c *cursor) all() bool { return c.campaign.IsZero() }

// wants moves the cursor behind the frame if it is the reader's.
func (c *cursor) wants(f frame) bool {
	if c.all() {
		return true
	}
	if f.campaign != c.campaign || f.index < c.next { // read from the record before the ring had it
		return false
	}
	c.next = f.index + 1
	return true
}

// id is what a frame is called on the reader's stream.
func (c *cursor) id(f frame) uint64 {
	if c.all() {
		return f.sequence
	}
	return f.index
}

// page gives a handful of frames behind the cursor from the record, and moves it. Behind the last it
// stands where the ring goes on.
func (f *Feed) page(c *cursor, some []frame) ([]frame, error) {
	durable := f.service.Durable() // before the record is read: up to here nothing is missed
	recorded := f.service.PublicEventsAfter(c.at)
	if !c.all() {
		recorded = f.service.PublicEvents(c.campaign, c.next, c.next+handful)
	}
	some, size := some[:0], 0
	for b, err := range recorded {
		if err != nil {
			return some, err
		}
		w := frameOf(b)
		some, size = append(some, w), size+len(w.body)
		c.at, c.next = w.sequence, w.index+1
		if len(some) == handful || size >= handfulBytes {
			return some, nil
		}
	}
	c.at = max(c.at, durable)
	return some, nil
}

// head is the first that a reader receives: where the record stands.
type head struct {
	Index    *uint64 `json:"index,omitempty"` // of the campaign's last event; not on the stream of all
	Sequence uint64  `json:"sequence"`        // of the last event in the record

	resumes bool // the reader goes on behind an id that he saw
}

func (h head) id() uint64 {
	if h.Index != nil {
		return *h.Index
	}
	return h.Sequence
}

var (
	errID    = errors.New("the last event's id is a whole number, as the stream gave it")
	errFrom  = errors.New("from is the id of the first event that is wanted, a whole number: from=0 gives all")
	errTwice = errors.New("last and from both say where to begin: give one of them")
)

// wanted reads the id with which a reader wants to begin; false if he names none. The header is what a browser sends
// when it comes back, and so newer than the query of its address.
func wanted(r *http.Request) (next uint64, given bool, err error) {
	header, q := r.Header.Get("Last-Event-ID"), r.URL.Query()
	last, from := q.Get("last"), q.Get("from")
	if last != "" && from != "" {
		return 0, false, errTwice
	}
	if text := cmp.Or(header, last); text != "" {
		if next, err = strconv.ParseUint(text, 10, 64); err != nil {
			return 0, false, errID
		}
		return max(next, next+1), true, nil // nothing is behind the greatest
	}
	if from == "" {
		return 0, false, nil
	}
	if next, err = strconv.ParseUint(from, 10, 64); err != nil {
		return 0, false, errFrom
	}
	return next, true, nil
}

// start places a reader of all campaigns, whose first event has the sequence 1.
func (f *Feed) start(next uint64, given bool) (cursor, head) {
	h := head{Sequence: f.service.Durable()}
	h.resumes = given && next <= h.Sequence
	if !h.resumes {
		return cursor{at: h.Sequence}, h
	}
	return cursor{at: max(next, 1) - 1}, h
}

// startIn places a reader of one campaign, whose first event has the index 0.
func (f *Feed) startIn(c timeline.Extent, next uint64, given bool) (cursor, head, error) {
	top := c.Events - 1
	h := head{Index: &top, Sequence: f.service.Durable()}
	if h.resumes = given && next <= top; !h.resumes {
		next = c.Events
	}
	out := cursor{campaign: c.ID, next: next}
	if next == 0 {
		return out, h, nil
	}
	for b, err := range f.service.PublicEvents(c.ID, next-1, next) {
		out.at = b.Sequence // all that comes later in the campaign stands behind it in the record
		return out, h, err
	}
	return out, h, nil
}
