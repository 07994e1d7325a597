package bundle

import (
	"crypto/sha256"
	"encoding/json"
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/beacon"
	"github.com/watu-ledger/watu/events/history"
	"github.com/watu-ledger/watu/events/tree"
	"github.com/watu-ledger/watu/rules/chance"
)

// Options of [File.Check].
type Options struct {
	// Head is the hash of an event that is known from elsewhere to be this campaign's: that of the
	// file's last event, or of an earlier one. Zero if none is known.
	Head events.Hash
	// Checkpoint is one of this campaign that is known from elsewhere, in place of a head; nil if none is.
	Checkpoint *tree.Checkpoint
	// Progress receives the number of events checked; it may be nil.
	Progress func(done, total uint64)
}

// Check checks a file as far as that needs no rules: hashes, order, dice against the links revealed,
// openings against their commitments. Rules, turns, seats and what follows from a command it leaves to others.
func (f *File) Check(o Options) Report {
	c := f.checked(o)
	if o.Progress != nil {
		o.Progress(f.Len(), f.Len())
	}
	r := c.done()
	r.Missing, r.Rolls, r.Witnesses = c.missing, c.choices(), c.witnesses()
	c.stated(&r)
	r.calls = map[uint64][]uint64{}
	for _, x := range r.Rolls {
		switch x.Who {
		case ByNobody, ByHostWithCosigner, BySeats, ByKeyHolder:
			r.calls[x.Event] = c.roll(x.Event).calls()
		}
	}
	return r
}

// checked makes the checks.
func (f *File) checked(o Options) *check {
	c := f.rolled(o)
	c.chained()
	c.signed()
	c.openRolls()
	c.unsealed()
	c.header()
	c.sheets()
	c.openings()
	c.links()
	c.board()
	c.held()
	c.audience()
	if c.opened.Demo {
		c.unable(1, "whether the dice were fair",
			"the campaign was opened with a published seed: its dice prove nothing")
	}
	return c
}

// rolled makes the checks of the events, one after the other.
func (f *File) rolled(o Options) *check {
	c := &check{
		report: newReport(), file: f, options: o, editions: map[events.Hash]bool{},
		ties:  ties{leaves{}, map[int]uint64{}, map[int]bool{}, map[int]bool{}},
		seals: map[events.Ref]*seal{}, slots: map[events.Place]bool{},
		states: make([]int, len(Stated)), rolls: map[uint64]*roll{}, draws: map[uint64]*draw{},
		own:   map[string]*chain{},
		typed: map[uint64]typed{}, signers: newSigners(), clocks: map[string]int64{},
	}
	place := uint64(0)
	for b, err := range f.Stored(0, f.Len()) {
		if err != nil {
			c.unreadable(err)
			break
		}
		if o.Progress != nil && place%1000 == 0 {
			o.Progress(place, f.Len())
		}
		c.event(place, b)
		place++
	}
	return c
}

// check is one check on its way.
type check struct {
	*report
	file    *File
	options Options

	ties      ties
	opened    events.CampaignOpened
	first     events.Event // event 0, if it reads
	edition   events.Hash  // in force
	editions  map[events.Hash]bool
	used      []events.Hash // editions in the order in which they judged
	schema    uint64        // the highest so far
	command   string        // of the event before
	epoch     uint64
	epochs    []map[string]*chain // anchors by chain; epoch n is at n-1
	own       map[string]*chain   // of players
	seeds     []chance.Seeds      // of each epoch
	seals     map[events.Ref]*seal
	slots     map[events.Place]bool // that commitments stand in
	rolls     map[uint64]*roll
	fallen    []fallen // rolls of which all is known, in the order of their declarations
	draws     map[uint64]*draw
	typed     map[uint64]typed // dice as typed last, by their declaration
	signers   *signers
	beacon    beacon.Beacon // of beacon dice
	policy    tree.Policy   // of who cosigns their declarations
	come      come          // the round that decides now
	rounds    *beacon.Verifier
	abandoned []abandoned
	clocks    map[string]int64 // when each key cosigned last, by its clock
	awaited   *roll            // that waits for its round; nil for none
	shelved   *roll            // the same, while it is ruled void; nil where play has gone on
	history   history.Index    // of the events so far
	sides     sides            // of events, for the audience
	missing   []Missing
	states    []int // how many events have each of what is Stated
}

// event checks the event at a place of the file.
func (c *check) event(place uint64, b []byte) {
	c.count(CheckForm)
	e, err := events.Decode(b)
	if err != nil {
		e = events.Event{Index: place}
		c.history.Add(&e)
		c.wrong(&e, CheckForm, "bytes", nil, nil, "the stored bytes do not read: %v", err)
		c.untied(place, events.LeafHash(b))
		c.sides.add("")
		return
	}
	c.tie(place, &e, events.LeafHash(b))
	c.sides.add(e.Side)
	p, err := events.PayloadOf(&e)
	switch {
	case err != nil:
		c.wrong(&e, CheckForm, "payload", nil, nil, "what the event says does not read: %v", err)
	case p == nil:
		c.unable(1, "events of type "+string(e.Type), "a later version of watu wrote them")
	case e.Schema > events.SchemaVersion:
		c.unable(1, "events of a later schema", "a later version of watu wrote them")
	case events.EncodePayload(p) != e.Payload:
		c.unable(1, "further fields of "+string(e.Type), "a later version of watu wrote them")
	}
	if e.Schema == 0 {
		c.wrong(&e, CheckForm, "schema", e.Schema, events.SchemaVersion, "an event has a schema from 1 on")
	}
	c.order(place, &e, p)
	c.state(&e, p)
	c.commitments(&e)
	c.disclosures(&e, p)
	c.enveloped(&e, p)
	c.history.Add(&e)
	c.awaiting(&e)
	c.chance(&e, p)
}

// order checks what every event has to agree in with those before it.
func (c *check) order(place uint64, e *events.Event, p events.Payload) {
	c.count(CheckOrder)
	if e.Campaign != c.file.Header.Campaign {
		c.wrong(e, CheckOrder, "campaign", e.Campaign, c.file.Header.Campaign, "the event belongs to another campaign")
	}
	if e.Corrects != 0 && e.Corrects >= e.Index {
		c.wrong(e, CheckOrder, "corrects", e.Corrects, nil, "an event corrects an earlier one")
	}
	if e.Replaces != 0 && e.Replaces >= e.Index {
		c.wrong(e, CheckOrder, "replaces", e.Replaces, nil, "an event takes the place of an earlier one")
	}
	c.inEpoch(e, p)
	c.inEdition(e, p)
	c.inSchema(e)
	c.requested(e, p)
	if opened, ok := p.(*events.CampaignOpened); place == 0 && ok {
		c.opened, c.first = *opened, *e
		if h := opened.Hands; h != "" && (h != byPlayers || opened.Dice != byBeacon) {
			c.wrong(e, CheckDraws, "payload.hands", h, nil, "cards are drawn by the host, or by players and a beacon")
		} else if h == "" && opened.Arbiter != "" {
			c.wrong(e, CheckDraws, "payload.arbiter", opened.Arbiter, nil,
				"there are no hands that an arbiter could open")
		}
		if d := opened.Dice; d == byBeacon {
			c.pinned(e, opened)
		} else if opened.Beacon != (events.Beacon{}) || opened.Witnesses+opened.Unwitnessed != "" {
			c.wrong(e, CheckOrder, "payload.beacon", opened.Beacon.Name, nil, "no beacon decides its dice")
		} else if d != "" && d != "chain" && d != attested && d != contested {
			c.wrong(e, CheckOrder, "payload.dice", d, nil, "there is no such way to throw dice")
		}
	} else if place == 0 || ok {
		c.wrong(e, CheckOrder, "type", e.Type, nil, "the first event opens the campaign, and no other does")
	}
}

// requested finds a request that stands elsewhere than at the first event of what was asked for. A correction has one
// for each entry that it corrects.
func (c *check) requested(e *events.Event, p events.Payload) {
	switch {
	case e.Request != "" && e.Command == c.command && e.Type != "corrected":
		c.wrong(e, CheckOrder, "request", e.Request, nil, "what was asked for stands at the first event that it led to")
	case e.Request == "" && e.Corrects == 0 && e.Replaces == 0 && c.entered(e, p):
		c.wrong(e, CheckOrder, "request", nil, "an entry", "somebody entered this, and the entry is not there")
	}
	c.command = e.Command
}

// entered reports whether an event answers what waits, so that it is the first of its entry. A choice that stands in
// the entry itself, as a list of options, comes with its question.
func (c *check) entered(e *events.Event, p events.Payload) bool {
	switch p := p.(type) {
	case *events.ChoiceMade:
		return p.Asked+1 != e.Index || e.Command != c.command || !c.listed(e, p.Options)
	case *events.DiceRolled: // the first throw comes with the round, or with the word of the second seat
		r := c.roll(p.Declared) // and further rolls of a command come with the round of its first
		return r != nil && len(r.fell) == 0 && r.declared.Mode != "" && r.declared.First == 0
	}
	return e.Type == "option_ruled" || e.Type.OfAwaitedDice()
}

// listed reports whether the entry behind an event lists these options.
func (c *check) listed(e *events.Event, options []string) bool {
	a := c.signers.act(c.commandAt(e))
	if a == nil {
		return false
	}
	var entry any
	_ = json.Unmarshal([]byte(c.firstOf(a).Request), &entry)
	return lists(entry, options)
}

// lists reports whether a list of words stands anywhere in a JSON value.
func lists(v any, words []string) bool {
	switch v := v.(type) {
	case []any:
		same := slices.EqualFunc(v, words, func(x any, word string) bool { return x == word })
		return same || slices.ContainsFunc(v, func(part any) bool { return lists(part, words) })
	case map[string]any:
		for _, part := range v {
			if lists(part, words) {
				return true
			}
		}
	}
	return false
}

// inSchema follows the schema. It never falls, and rises where a later program goes on: with an epoch, or by recording
// that it judges otherwise.
func (c *check) inSchema(e *events.Event) {
	rises := c.schema == 0 || e.Type == "epoch_begun" || e.Type == "rules_changed"
	if e.Schema < c.schema || e.Schema > c.schema && !rises {
		c.wrong(e, CheckOrder, "schema", e.Schema, c.schema, "the event is of another schema than those around it")
	}
	c.schema = max(c.schema, e.Schema)
}

// inEpoch follows the epochs: each begins with its anchors, but the first, which begins with the campaign.
func (c *check) inEpoch(e *events.Event, p events.Payload) {
	begun, begins := p.(*events.EpochBegun)
	if c.epoch == 0 {
		c.epoch = 1
	} else if begins && len(c.epochs) > 0 {
		c.epoch++
	}
	if e.Epoch != c.epoch {
		c.wrong(e, CheckOrder, "epoch", e.Epoch, c.epoch, "the event stands in another epoch than those around it")
	}
	if begins {
		chains := map[string]*chain{}
		for _, a := range begun.Chains {
			chains[a.Chain] = &chain{Anchor: a}
		}
		c.epochs = append(c.epochs, chains)
		c.seeded(e, chance.Seeds(begun.Seeds))
	}
}

// seeded follows how seeds are made: once they are by position, no later epoch makes them by index again.
func (c *check) seeded(e *events.Event, s chance.Seeds) {
	if n := len(c.seeds); s != chance.ByIndex && s != chance.ByPosition {
		c.wrong(e, CheckOrder, "payload.seeds", s, nil, "there are no such seeds of dice")
	} else if n > 0 && s == chance.ByIndex && c.seeds[n-1] == chance.ByPosition {
		c.wrong(e, CheckOrder, "payload.seeds", s, chance.ByPosition,
			"dice that the entries before them cannot move are not given up again")
		s = chance.ByPosition
	}
	c.seeds = append(c.seeds, s)
}

// seedsOf is how seeds are made in an epoch. One that never began has none: that is a finding elsewhere.
func (c *check) seedsOf(epoch uint64) chance.Seeds {
	if epoch < 1 || epoch > uint64(len(c.seeds)) {
		return chance.ByIndex
	}
	return c.seeds[epoch-1]
}

// inEdition follows the edition in force: it changes where a ruling moves the campaign to another.
func (c *check) inEdition(e *events.Event, p events.Payload) {
	moved, moves := p.(*events.EditionMoved)
	if c.edition.IsZero() {
		c.edition = e.Edition
	}
	if e.Edition != c.edition && (!moves || e.Edition != moved.Hash) {
		c.wrong(e, CheckOrder, "edition", e.Edition, c.edition, "another edition judged than the campaign is on")
	}
	if moves {
		c.edition = moved.Hash
	}
	for _, h := range []events.Hash{e.Edition, c.edition} {
		if !c.editions[h] {
			c.editions[h] = true
			c.used = append(c.used, h)
		}
	}
}

// header checks what the header says of the campaign.
func (c *check) header() {
	h := c.file.Header
	for _, s := range []struct{ field, recorded, derived string }{
		{"campaign", h.Campaign.String(), c.first.Campaign.String()}, {"name", h.Name, c.opened.Name},
		{"system", h.System, c.opened.System}, {"edition", h.Edition, c.opened.Edition},
	} {
		c.count(CheckHeader)
		if s.recorded != s.derived {
			c.wrongFile(CheckHeader, s.field, s.recorded, s.derived,
				"the header does not say what the first event says")
		}
	}
	c.count(CheckHeader)
	if !slices.Equal(h.Editions, c.used) {
		c.wrongFile(CheckHeader, "editions", h.Editions, c.used, "the header names other editions than judged")
	}
	c.count(CheckHeader)
	if h.For != Public && h.For != Umpire && !slices.Contains(c.opened.Sides, h.For) {
		c.wrongFile(CheckHeader, "for", h.For, nil, "the campaign has no such side")
	}
	if h.Part == nil {
		return
	}
	c.count(CheckHeader)
	if p := h.Part; p.From > p.To || p.To >= h.Events || p.Dispute >= h.Events {
		c.wrongFile(CheckHeader, "part", nil, nil, "the part is not within the events")
	}
}

// sheets checks the editions' texts.
func (c *check) sheets() {
	for _, text := range c.file.Editions {
		c.count(CheckSheets)
		sum := events.Hash(sha256.Sum256([]byte(text)))
		if !c.editions[sum] {
			c.wrongFile(CheckSheets, "edition", sum, nil, "the file holds printed sheets by which nothing was judged")
		}
	}
}

// board checks the files of the board.
func (c *check) board() {
	for _, data := range c.file.Boards {
		c.count(CheckBoard)
		sum := events.Hash(sha256.Sum256(data))
		if !slices.ContainsFunc(c.opened.Board.Files, func(b events.BoardFile) bool { return b.Hash == sum }) {
			c.wrongFile(CheckBoard, "file", sum, nil, "the file holds a map that the campaign is not played on")
		}
	}
}
