package bundle

import (
	"slices"
	"time"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/tree"
	"github.com/watu-ledger/watu/rules/chance"
)

// chain is a chain of an epoch: its anchor, how many links are spoken for, and the newest one known.
type chain struct {
	events.Anchor
	used  uint64
	past  uint64      // the position that a correction of a roll or draw of an epoch before named, if it is greater
	known events.Link // zero before the first

	seat      string // whose own it is; empty for the host's
	disclosed uint64 // up to which position by its player
}

// roll is a declared roll and what fell so far.
type roll struct {
	declared *events.RollDeclared
	at       events.Event
	fell     [][]int
	thrown   map[uint64]int // which of them the events are, by their indexes
	links    []events.Link
	sampler  *chance.Sampler // nil until its link is known
	place    int             // of its declaration
	last     int             // how many events there were when the last of its own came

	round    uint64        // of a beacon, that decides
	policy   tree.Policy   // who may cosign that it does
	link     events.Source // of the host's chain, that decides in place of a round; zero for none
	epoch    uint64        // of the links that decide
	named    uint64        // index of the event that named it last
	asked    time.Time     // when it was declared
	hash     events.Hash   // of the declaration
	lapses   int
	cosigned []tree.Cosignature // who saw it declared before its round
	back     []string           // whose time is before that of an earlier checkpoint
	doubt    bool               // something about it is a finding

	shelved          bool   // it was ruled void while it waited for its dice
	byUmpire         bool   // the umpire gave the key of the seat that contests it
	passed           bool   // its link stands behind others that nothing used
	replaces         bool   // it takes the place of others
	typed, confirmed string // the seats that vouch for it
	signed           bool   // by keys of their own
}

func newRoll(e *events.Event, p *events.RollDeclared, place int) *roll {
	return &roll{declared: p, thrown: map[uint64]int{}, place: place, last: place + 1, replaces: e.Replaces != 0,
		epoch: e.Epoch, at: events.Event{Index: e.Index, Type: e.Type, Command: e.Command, Side: e.Side,
			Campaign: e.Campaign, Epoch: e.Epoch, Turn: e.Turn}}
}

// attested is the mode of dice that are thrown at a table.
const attested = "attested"

// byChain is what is left of dice by a beacon that nobody cosigned, where the campaign was opened so.
const byChain = "chain"

// byBeacon is the mode of dice that a round of public randomness decides.
const byBeacon = "beacon"

// contested is the mode of dice that a link of the host and one of a seat decide.
const contested = "contested"

// awaits reports whether the dice of a roll come with a round, or with the link of a seat.
func (r *roll) awaits() bool { return r.declared.Mode == byBeacon || r.declared.Mode == contested }

// chance checks what belongs to dice and draws.
func (c *check) chance(e *events.Event, p events.Payload) {
	found, of := len(c.findings), e.Index
	switch p := p.(type) {
	case *events.RollDeclared:
		c.declared(e, p)
	case *events.DiceRolled:
		of = p.Declared
		c.dice(e, p)
	case *events.DiceTyped:
		c.typedAt(e, p)
	case *events.DiceDenied:
		c.count(CheckAttested)
		t, ok := c.typed[p.Declared]
		if !ok || t.fell == nil || t.side != e.Side {
			c.wrong(e, CheckAttested, "payload.declared", p.Declared, nil,
				"no dice were typed there that could be denied, or for another side")
		}
		c.typed[p.Declared] = typed{denied: e.Index}
	case *events.RollLapsed:
		of = p.Declared
		c.lapsed(e, p)
	case *events.DrawDeclared:
		c.drawDeclared(e, p)
	case *events.CardsDrawn:
		c.drawn(e, p)
	default:
		c.declassified(e, p)
	}
	if len(c.findings) > found {
		if r := c.roll(of); r != nil {
			r.doubt = true
		}
	}
	c.rest(of)
}

// corrects reports whether an event takes the place of one that stands, as it came.
func (c *check) corrects(e *events.Event) bool {
	return e.Corrects != 0 && c.history.Head().Stands(e.Corrects)
}

// typed are dice as they were typed at a table.
type typed struct {
	at, denied uint64 // the index of the event, or of the one that denied them; then nothing else is set
	fell       []events.Fallen
	seat, side string
	signed     bool
}

// typedAt takes dice that were typed, and holds them to what was declared.
func (c *check) typedAt(e *events.Event, p *events.DiceTyped) {
	c.count(CheckAttested)
	c.typed[p.Declared] = typed{e.Index, 0, p.Fell, e.Seat, e.Side, c.signedItself(e)}
	r := c.roll(p.Declared)
	if r == nil || r.declared.Mode != attested || len(r.fell) > 0 {
		c.wrong(e, CheckAttested, "payload.declared", p.Declared, nil, "no roll waits there for dice of a table")
		return
	}
	if e.Side != r.at.Side {
		c.wrong(e, CheckAttested, "side", e.Side, r.at.Side, "the roll was declared in #%d for another", p.Declared)
	}
	fits := func(f events.Fallen, t events.Throw) bool { return f.Throw == t.Name && len(f.Dice) == t.Dice }
	if !slices.EqualFunc(p.Fell, r.declared.Throws, fits) {
		c.wrong(e, CheckAttested, "payload.fell", nil, nil, "other throws were declared in #%d", p.Declared)
	}
}

// chainAt gives a chain of an epoch, nil if there is none.
func (c *check) chainAt(epoch uint64, name string) *chain {
	if on, own := c.own[name]; own {
		return on
	}
	if epoch < 1 || epoch > uint64(len(c.epochs)) {
		return nil
	}
	return c.epochs[epoch-1][name]
}

// spend checks that a declaration names the next link of a chain.
func (c *check) spend(e *events.Event, s events.Source, name, field string) {
	c.count(CheckPositions)
	on := c.chainAt(c.epoch, s.Chain)
	switch {
	case s.Chain != name:
		c.wrong(e, CheckPositions, field+".chain", s.Chain, name,
			"another chain decides than that of the dice or of the side's draws")
	case on == nil:
		c.wrong(e, CheckPositions, field+".chain", s.Chain, nil, "no anchor of that chain was stated")
	case on.passesOver(s):
		c.unable(1, "links passed over behind a correction of an epoch before",
			"earlier programs did so; a host could, to get other dice or cards")
		if r := c.roll(e.Index); r != nil {
			r.passed = true
		}
		on.used = s.Position
	case s.Position != on.used+1 || s.Position > on.Length:
		c.wrong(e, CheckPositions, field+".position", s.Position, on.used+1,
			"links are used one after the other, up to %d", on.Length)
		on.used = max(on.used, min(s.Position, on.Length))
	default:
		on.used++
	}
}

// passesOver reports whether a declaration goes on behind the links that a correction named: see [check.restated].
func (on *chain) passesOver(s events.Source) bool {
	return on != nil && on.past > on.used && s.Position == on.past+1 && s.Position <= on.Length
}

// restated takes the links that a corrected declaration names once more. They are those of the original; where that was
// made in an epoch before, they say nothing of the chain that is used now. Where seeds are by index the umpire passes
// over as many of its links all the same. Earlier programs did so by position too, and a host could, to get other dice:
// the rolls behind them are marked.
func (c *check) restated(sources ...events.Source) {
	for _, s := range sources {
		on := c.chainAt(c.epoch, s.Chain)
		switch {
		case on == nil:
		case c.seedsOf(c.epoch) == chance.ByPosition:
			on.past = max(on.past, min(s.Position, on.Length))
		default:
			on.used = max(on.used, min(s.Position, on.Length))
		}
	}
}

// declared takes a declaration of a roll.
func (c *check) declared(e *events.Event, p *events.RollDeclared) {
	if of := c.roll(e.Corrects); of != nil && c.corrects(e) {
		// Corrected in its figures: the dice are those of the original.
		c.count(CheckPositions)
		was := of.declared
		if !slices.Equal(p.Sources, was.Sources) || p.Mode != was.Mode || p.Round != was.Round ||
			p.First != was.First || p.Ordinal != was.Ordinal {
			c.wrong(e, CheckPositions, "payload.sources", p.Sources, of.declared.Sources,
				"a corrected declaration keeps what decides its dice")
		}
		c.restated(p.Sources...)
		return
	}
	r := newRoll(e, p, c.ties.len()-1)
	c.rolls[e.Index] = r
	own := ""
	if d := c.opened.Dice; d == attested || d == byBeacon || d == contested {
		own = d
	}
	if p.Mode != byBeacon && (p.Round != 0 || p.Mode != contested && (p.First != 0 || p.Ordinal != 0)) {
		c.wrong(e, CheckPositions, "payload.round", p.Round, 0, "no round of a beacon decides these dice")
	}
	if e.Replaces == 0 && p.Mode != own {
		c.wrong(e, CheckPositions, "payload.mode", p.Mode, c.opened.Dice, "the campaign's dice are thrown otherwise")
	}
	if p.Mode == "" && len(p.Sources) == 1 {
		c.spend(e, p.Sources[0], chance.Dice, "payload.sources[0]")
		return
	}
	switch {
	case r.awaits():
		c.awaits(e, p)
	case p.Mode == "":
		c.count(CheckPositions)
		c.wrong(e, CheckPositions, "payload.sources", len(p.Sources), 1,
			"a declaration names the one link that decides")
	case p.Mode != attested:
		c.wrong(e, CheckPositions, "payload.mode", p.Mode, nil, "there is no such way to throw dice")
	case len(p.Sources) != 0:
		c.wrong(e, CheckPositions, "payload.sources", len(p.Sources), 0,
			"no link decides dice that are thrown at a table")
	}
}

// dice checks one throw.
func (c *check) dice(e *events.Event, p *events.DiceRolled) {
	r := c.roll(p.Declared)
	c.count(CheckDice)
	if r == nil {
		c.wrong(e, CheckDice, "payload.declared", p.Declared, nil, "no roll was declared there")
		return
	}
	if r.declared.Mode != byBeacon && (p.Round != 0 || p.Signature+p.Note != "") {
		c.wrong(e, CheckDice, "payload.round", p.Round, 0, "no round of a beacon decides these dice")
	}
	if c.corrects(e) { // restated: dice that stand are those that fell
		at, fell := r.thrown[e.Corrects]
		if r.thrown[e.Index] = at; !fell || !slices.Equal(r.fell[at], p.Dice) {
			c.wrong(e, CheckDice, "payload.dice", p.Dice, nil, "these are not the dice that fell in #%d", e.Corrects)
		}
		return
	}
	if len(r.fell) >= len(r.declared.Throws) {
		c.wrong(e, CheckDice, "payload.throw", p.Throw, nil, "more is thrown than was declared in #%d", p.Declared)
		return
	}
	throw := r.declared.Throws[len(r.fell)]
	r.last = c.ties.len()
	r.thrown[e.Index] = len(r.fell)
	r.fell = append(r.fell, p.Dice)
	if !c.asDeclared(e, p, throw) {
		return
	}
	switch r.declared.Mode {
	case attested:
		c.attested(e, p, r)
	case byBeacon:
		c.decided(e, p, r, throw)
	case contested:
		c.contested(e, p, r, throw)
	case "":
		c.follows(e, p, r, throw)
	}
}

// asDeclared checks the throw's name, the number of its dice and what they may show.
func (c *check) asDeclared(e *events.Event, p *events.DiceRolled, t events.Throw) bool {
	if e.Side != t.Side {
		c.wrong(e, CheckDice, "side", e.Side, t.Side, "the throw was declared in #%d as another's", p.Declared)
	}
	if p.Throw != t.Name {
		c.wrong(e, CheckDice, "payload.throw", p.Throw, t.Name, "another throw was declared in #%d", p.Declared)
	}
	if len(p.Dice) != t.Dice || t.Sides < 2 || t.Sides > chance.MaxSides {
		c.wrong(e, CheckDice, "payload.dice", len(p.Dice), t.Dice, "other dice were declared in #%d", p.Declared)
		return false
	}
	low, high := t.Shows()
	for i, d := range p.Dice {
		if d < low || d > high {
			c.wrong(e, CheckDice, dieField(i), d, nil, "a die of %d sides shows %d to %d", t.Sides, low, high)
			return false
		}
	}
	return true
}

func dieField(i int) string { return "payload.dice[" + asText(i) + "]" }

// attested checks that two seats vouch for the dice of a table.
func (c *check) attested(e *events.Event, p *events.DiceRolled, r *roll) {
	c.count(CheckAttested)
	was := c.typed[p.Declared]
	at := len(r.fell) - 1
	if r.typed, r.confirmed = p.Typed, p.Confirmed; at == 0 {
		r.signed = was.signed && c.signedItself(e)
	}
	switch {
	case p.Typed == "" || p.Confirmed == "" || p.Typed == p.Confirmed:
		c.wrong(e, CheckAttested, "payload.confirmed", p.Confirmed, nil,
			"two seats vouch for dice that were thrown at a table")
	case len(p.Links) != 0:
		c.wrong(e, CheckAttested, "payload.links", len(p.Links), 0, "no link decides dice that were thrown at a table")
	case e.Replaces != 0: // they replace others: the ruling says who saw them
	case at >= len(was.fell) || !slices.Equal(was.fell[at].Dice, p.Dice):
		c.wrong(e, CheckAttested, "payload.dice", p.Dice, nil, "these are not the dice that were typed in")
	case p.Typed != was.seat:
		c.wrong(e, CheckAttested, "payload.typed", p.Typed, was.seat, "another seat typed these dice")
	case p.Confirmed != e.Seat:
		c.wrong(e, CheckAttested, "payload.confirmed", p.Confirmed, e.Seat, "another seat confirmed these dice")
	}
	c.unable(1, "dice thrown at a table", "two seats vouch for them, and nothing else can")
}

// follows throws the dice again from the link that is revealed beside them.
func (c *check) follows(e *events.Event, p *events.DiceRolled, r *roll, t events.Throw) {
	if p.Typed+p.Confirmed != "" {
		c.wrong(e, CheckDice, "payload.typed", p.Typed+p.Confirmed, nil, "nobody vouches for dice that a link decides")
	}
	s := r.declared.Sources
	if r.link.Chain != "" {
		s = []events.Source{r.link}
	}
	if len(s) != 1 {
		return // a finding of the declaration
	}
	if len(p.Links) != 1 || p.Links[0].Chain != s[0].Chain || p.Links[0].Position != s[0].Position {
		c.count(CheckLinks)
		c.wrong(e, CheckLinks, "payload.links", p.Links, s, "the link revealed is not the one that #%d declared",
			p.Declared)
		return
	}
	link := p.Links[0]
	if r.sampler == nil {
		c.count(CheckLinks)
		if !c.anchored(r.epoch, link) {
			c.wrong(e, CheckLinks, "payload.links[0].link", link.Link, nil,
				"hashing it %d times does not give the anchor stated for its chain", link.Position)
			return
		}
		d := c.seedsOf(r.epoch).Dice(r.at.Campaign, r.epoch, r.at.Index, link.Position)
		r.sampler, r.links = chance.NewSampler(chance.Seed(d, chance.Contribution{Link: link.Link})), p.Links
	} else if !slices.Equal(r.links, p.Links) {
		c.wrong(e, CheckLinks, "payload.links[0].link", link.Link, r.links[0].Link,
			"one link decides all throws of a roll")
		return
	}
	c.falls(e, p, r.sampler.Throw(t), "the link gives another die")
}

// falls holds dice against those that follow.
func (c *check) falls(e *events.Event, p *events.DiceRolled, due []int, otherwise string) {
	for i, d := range due {
		if p.Dice[i] != d {
			c.wrong(e, CheckDice, dieField(i), p.Dice[i], d, "%s", otherwise)
			return
		}
	}
}

// anchored reports whether a link is of its chain: hashed often enough it gives the newest one known, or
// the anchor.
func (c *check) anchored(epoch uint64, l events.Link) bool {
	on := c.chainAt(epoch, l.Chain)
	if on == nil || l.Position < 1 || l.Position > on.Length || l.Position > chance.MaxLength {
		return false
	}
	if on.known.Position == 0 || l.Position <= on.known.Position {
		if l.Link == on.known.Link && l.Position == on.known.Position {
			return true
		}
		if !chance.VerifyLink(on.Anchor.Anchor, l.Position, l.Link) {
			return false
		}
	} else if !chance.VerifyLink(on.known.Link, l.Position-on.known.Position, l.Link) {
		return false
	}
	if l.Position > on.known.Position {
		on.known = l
	}
	return true
}

// openRolls looks for rolls whose dice did not come. The file may end before them.
func (c *check) openRolls() {
	for r := range c.everyRoll() {
		if r.awaits() && len(c.taken(r)) > 0 {
			by := map[bool]string{true: "links", false: "a round"}[r.declared.Mode == contested]
			c.unable(1, "rolls by "+by+" that were taken out of the campaign",
				"whoever did so could know their dice: others may count in their place")
		}
		if len(r.fell) >= len(r.declared.Throws) {
			continue
		}
		switch {
		case r.doubt && r.awaits(): // that it was left is said where it was
			continue
		case !c.history.Head().Stands(r.at.Index) && r.declared.Mode != "":
			c.unable(1, "a roll that was declared", "it was taken back before its dice")
			continue
		case r.declared.Mode != "" || r.last == c.ties.len():
			c.unable(1, "a roll that was declared", "the record ends before its dice")
			continue
		}
		due := c.eventAt(r.last) // the dice stand behind their declaration
		c.wrong(due, CheckDice, "type", due.Type, "dice_rolled", "#%d declared %d throws, and %d fell", r.at.Index,
			len(r.declared.Throws), len(r.fell))
	}
}

// links checks the links of draws that the file holds: of their chains, and none that is still to come.
func (c *check) links() {
	here := map[*chain]bool{}
	for _, l := range c.file.Links {
		c.count(CheckDrawLinks)
		on := c.chainAt(l.Epoch, l.Chain)
		switch {
		case on == nil:
			c.wrongFile(CheckDrawLinks, "link", l.Chain, nil, "no anchor of chain %s was stated in epoch %d", l.Chain,
				l.Epoch)
		case l.Position > on.used:
			c.wrongFile(CheckDrawLinks, "position", l.Position, on.used,
				"the file reveals a link of %s that no draw has used: draws to come can be known from it", l.Chain)
		case !c.anchored(l.Epoch, l.Link):
			c.wrongFile(CheckDrawLinks, "link", l.Link.Link, nil,
				"link %d of %s in epoch %d does not lead to its anchor", l.Position, l.Chain, l.Epoch)
		default:
			here[on] = l.Position == on.used
			on.disclosed = max(on.disclosed, l.Position)
		}
	}
	c.dueLinks(here)
}

// heldBack says why something is not in the file.
func (c *check) heldBack() string {
	if c.file.Header.For == Public {
		return "the public may not know them yet"
	}
	return "they are for others than " + c.file.Header.For
}
