package bundle

import (
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/tree"
)

// tied is what ties an event to its neighbours.
type tied struct {
	index    uint64
	typ      events.Type
	command  string
	previous events.Hash
	hash     events.Hash
	reads    bool
}

func (t *tied) event() *events.Event {
	return &events.Event{Index: t.index, Type: t.typ, Command: t.command}
}

// tie remembers what ties the event at a place.
func (c *check) tie(place uint64, e *events.Event, hash events.Hash) {
	c.ties = append(c.ties, tied{e.Index, e.Type, e.Command, e.Previous, hash, true})
	if place > 0 && e.Index == c.ties[place-1].index+1 || e.Index == place {
		return
	}
	due := &events.Event{Index: place}
	if place > 0 {
		due.Index = c.ties[place-1].index + 1
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
	c.ties = append(c.ties, tied{index: place, hash: hash})
}

// chained holds each event's hash against what the next one carries, and the last one's against the
// head. An event that was changed breaks the tie behind it; one whose previous hash was changed
// breaks the tie before it too.
func (c *check) chained() {
	if len(c.ties) > 0 && c.ties[0].reads && !c.ties[0].previous.IsZero() {
		c.wrong(c.ties[0].event(), CheckChain, "previous", c.ties[0].previous, nil,
			"there is no event before the first")
	}
	for i := 1; i <= len(c.ties); i++ {
		if !c.broken(i) {
			continue
		}
		if !c.broken(i + 1) {
			c.changed(i-1, "hash")
			continue
		}
		for ; c.broken(i + 1); i++ { // the tie before event i, and the one behind it
			c.changed(i, "previous")
		}
	}
	c.length()
	c.vouched()
}

// broken reports whether the tie before the event at a place is broken; that before the end is the head.
func (c *check) broken(place int) bool {
	if place > len(c.ties) {
		return false
	}
	before := &c.ties[place-1]
	if !before.reads {
		return false
	}
	if place == len(c.ties) {
		return c.file.Header.Events == uint64(place) && c.file.Header.Head != before.hash
	}
	e := &c.ties[place]
	return e.reads && e.index == before.index+1 && e.previous != before.hash
}

// changed notes an event that is not the one that its neighbours were tied to.
func (c *check) changed(place int, field string) {
	t := &c.ties[place]
	carried := c.file.Header.Head
	if place+1 < len(c.ties) {
		carried = c.ties[place+1].previous
	}
	if field == "previous" {
		c.wrong(t.event(), CheckChain, field, t.previous, c.ties[place-1].hash,
			"it does not carry the hash of the event before, and its own hash is not carried")
		return
	}
	c.wrong(t.event(), CheckChain, field, carried, t.hash, "its bytes are not those whose hash the record carries")
}

// length holds the number of events against what the header says.
func (c *check) length() {
	for i := range c.ties {
		if c.ties[i].reads {
			c.count(CheckChain)
		}
	}
	n := uint64(len(c.ties))
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
		c.unable(len(c.ties)-int(min(known.Events, uint64(len(c.ties)))), "events after the checkpoint that was given",
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
	for i := range c.ties {
		if c.ties[i].hash == known {
			c.unable(len(c.ties)-1-i, "events after the head that was given", "that head does not vouch for them")
			return
		}
	}
	if len(c.ties) == 0 {
		return
	}
	last := c.ties[len(c.ties)-1]
	c.wrong(last.event(), CheckHead, "hash", last.hash, known,
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
	if stated.Events != uint64(len(c.ties)) {
		c.wrongFile(CheckSigned, "note", stated.Events, len(c.ties), "it is signed for another number of events")
		return
	}
	c.stands(CheckSigned, stated, "that the ledger signed")
}

// stands holds a checkpoint against the file's first events.
func (c *check) stands(check string, k tree.Checkpoint, which string) {
	n := uint64(len(c.ties))
	switch {
	case k.Campaign != c.file.Header.Campaign:
		c.wrongFile(check, "checkpoint", k.Campaign, c.file.Header.Campaign,
			"the checkpoint %s is of another campaign", which)
		return
	case k.Events > n:
		c.wrongFile(check, "checkpoint", k.Events, n, "the checkpoint %s states more events than the file has", which)
		return
	}
	var t tree.Tree
	for _, e := range c.ties[:k.Events] {
		t.Add(e.hash)
	}
	if root, err := t.Root(k.Events); err != nil || root != k.Root {
		c.wrongFile(check, "checkpoint", k.Root, root, "the first %d events are not those of the checkpoint %s",
			k.Events, which)
	}
}
