package bundle

import (
	"maps"
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/tree"
)

// ties are what ties the events to their neighbours, by their places. Nearly all events have the index of their place
// and carry the hash of the one before: those that do not are named.
type ties struct {
	leaves
	indexes map[int]uint64 // that are not the place
	unread  map[int]bool   // events that do not read
	broken  map[int]bool   // before which the tie is broken
}

func (t *ties) index(place int) uint64 {
	if index, other := t.indexes[place]; other {
		return index
	}
	return uint64(place)
}

// eventAt reads the event at a place again.
func (c *check) eventAt(place int) *events.Event {
	for b, err := range c.file.Stored(uint64(place), uint64(place)+1) {
		if err != nil {
			c.unreadable(err)
		} else if e, err := events.Decode(b); err == nil {
			return &e
		}
	}
	return &events.Event{Index: c.ties.index(place)}
}

// unreadable notes that the file cannot be read again.
func (c *check) unreadable(err error) { c.wrongFile(CheckForm, "record", nil, nil, "%v", err) }

// tie remembers what ties the event at a place.
func (c *check) tie(place uint64, e *events.Event, hash events.Hash) {
	t, at := &c.ties, int(place)
	before := t.newest
	if c.leaf(hash); e.Index != place {
		t.indexes[at] = e.Index
	}
	due := &events.Event{Index: place}
	if place > 0 {
		due.Index = t.index(at-1) + 1
		if !t.unread[at-1] && e.Index == due.Index && e.Previous != before {
			t.broken[at] = true
		}
	}
	if place > 0 && e.Index == due.Index || e.Index == place {
		return
	}
	switch {
	case place > 0 && e.Index == due.Index-1:
		c.wrong(e, CheckOrder, "index", e.Index, due.Index, "the event stands twice")
	case e.Index == due.Index+1:
		c.wrong(due, CheckOrder, "index", e.Index, due.Index,
			"the event is missing, or another: #%d stands in its place", e.Index)
	default:
		due.Index = place
		c.wrong(due, CheckOrder, "index", e.Index, place, "the event is missing, or another: #%d stands in its place",
			e.Index)
	}
}

// untied remembers an event that does not read.
func (c *check) untied(place uint64, hash events.Hash) {
	c.leaf(hash)
	c.ties.unread[int(place)] = true
}

// chained holds each event's hash against what the next one carries, and the last one's against the
// head. An event that was changed breaks the tie behind it; one whose previous hash was changed
// breaks the tie before it too.
func (c *check) chained() {
	t, h := &c.ties, c.file.Header
	n := t.len()
	if first := c.eventAt(0); n > 0 && !first.Previous.IsZero() {
		c.wrong(first, CheckChain, "previous", first.Previous, nil, "there is no event before the first")
	}
	if n > 0 && !t.unread[n-1] && h.Events == uint64(n) && h.Head != t.newest {
		t.broken[n] = true
	}
	for _, i := range slices.Sorted(maps.Keys(t.broken)) {
		switch {
		case t.broken[i+1]: // the tie before event i, and the one behind it
			c.changed(i, "previous")
		case !t.broken[i-1]:
			c.changed(i-1, "hash")
		}
	}
	c.length()
	c.vouched()
}

// changed notes an event that is not the one that its neighbours were tied to.
func (c *check) changed(place int, field string) {
	e, t := c.eventAt(place), &c.ties
	if field == "previous" {
		c.wrong(e, CheckChain, field, e.Previous, c.hashAt(uint64(place)-1),
			"it does not carry the hash of the event before, and its own hash is not carried")
		return
	}
	carried := c.file.Header.Head
	if place+1 < t.len() {
		carried = c.eventAt(place + 1).Previous
	}
	c.wrong(e, CheckChain, field, carried, c.hashAt(uint64(place)),
		"its bytes are not those whose hash the record carries")
}

// length holds the number of events against what the header says.
func (c *check) length() {
	c.counts[CheckChain] += c.ties.len() - len(c.ties.unread)
	n := uint64(c.ties.len())
	switch stated := c.file.Header.Events; {
	case stated > n:
		c.wrong(&events.Event{Index: n}, CheckOrder, "index", nil, n,
			"the event is missing: the record ends before it, and its header counts %d", stated)
	case stated < n:
		c.wrong(&events.Event{Index: stated}, CheckOrder, "index", stated, nil,
			"the event is one too many: the header counts %d", stated)
	}
}

// vouched looks for the head that is known from elsewhere.
func (c *check) vouched() {
	if known := c.options.Checkpoint; known != nil {
		c.count(CheckHead)
		c.stands(CheckHead, *known, "that was given")
		n := uint64(c.ties.len())
		c.unable(int(n-min(known.Events, n)), "events after the checkpoint that was given",
			"it does not vouch for them")
		return
	}
	known := c.options.Head
	if known.IsZero() {
		c.unable(1, "whether this is the campaign that was played",
			"no head is known from elsewhere: give one with --head")
		return
	}
	c.count(CheckHead)
	n := c.ties.len()
	if at := c.ties.known; at > 0 {
		c.unable(n-at, "events after the head that was given", "that head does not vouch for them")
		return
	}
	if n == 0 {
		return
	}
	c.wrong(c.eventAt(n-1), CheckHead, "hash", c.ties.newest, known,
		"the head that was given is not that of this record, nor of an event before")
}

// signed holds the checkpoint that the ledger signed against the events.
func (c *check) signed() {
	s := c.file.Signed
	if s == (Signed{}) {
		return
	}
	c.count(CheckSigned)
	by, err := tree.ParseVerifier(s.Key)
	if err != nil {
		c.wrongFile(CheckSigned, "key", s.Key, nil, "%v", err)
		return
	}
	stated, err := tree.Parse(s.Note, by)
	if err != nil {
		c.wrongFile(CheckSigned, "note", nil, nil, "%v", err)
		return
	}
	if stated.Events != uint64(c.ties.len()) {
		c.wrongFile(CheckSigned, "note", stated.Events, c.ties.len(), "it is signed for another number of events")
		return
	}
	c.stands(CheckSigned, stated, "that the ledger signed")
}

// stands holds a checkpoint against the file's first events.
func (c *check) stands(check string, k tree.Checkpoint, which string) {
	n := uint64(c.ties.len())
	switch {
	case k.Campaign != c.file.Header.Campaign:
		c.wrongFile(check, "checkpoint", k.Campaign, c.file.Header.Campaign,
			"the checkpoint %s is of another campaign", which)
		return
	case k.Events > n:
		c.wrongFile(check, "checkpoint", k.Events, n, "the checkpoint %s states more events than the file has: the "+
			"file is older, or was cut; ask for a newer one", which)
		return
	}
	if root := c.rootOf(k.Events); root != k.Root {
		c.wrongFile(check, "checkpoint", k.Root, root, "the first %d events are not those of the checkpoint %s",
			k.Events, which)
	}
}
