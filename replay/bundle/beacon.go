package bundle

import (
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/beacon"
	"github.com/watu-ledger/watu/events/tree"
	"github.com/watu-ledger/watu/rules/chance"
)

// come is a round that has come, for the roll that awaited it and those behind that without a choice between.
type come struct {
	number     uint64
	randomness events.Hash
	first      uint64      // index of the roll that awaited it; 0 for no round
	declared   events.Hash // of that event
	command    string      // that the roll is of
	rolls      int         // that took it
}

// pinned takes the beacon and the witnesses on which the campaign was opened.
func (c *check) pinned(e *events.Event, p *events.CampaignOpened) {
	c.count(CheckBeacon)
	c.beacon = beacon.Beacon(p.Beacon)
	var err error
	if p.Witnesses != "" {
		if c.policy, err = tree.ParsePolicy(p.Witnesses); err == nil {
			err = c.policy.Overlaps()
		}
	}
	if err := c.beacon.Check(); err != nil {
		c.wrong(e, CheckBeacon, "payload.beacon", nil, nil, "%v", err)
	}
	if err != nil {
		c.wrong(e, CheckBeacon, "payload.witnesses", nil, nil, "%v", err)
	}
	if p.Unwitnessed != "" && p.Unwitnessed != byChain {
		c.wrong(e, CheckBeacon, "payload.unwitnessed", p.Unwitnessed, nil, "nothing else than a chain is left")
	}
	if c.rounds = c.beacon.Verifier(); c.beacon != beacon.Quicknet() {
		c.unable(1, "whether the rounds of beacon "+c.beacon.Name+" were unknown before they came",
			"who holds its key knows them all: it is not drand's quicknet")
	}
}

// cosigners are who may cosign the declaration of a roll of a side: the campaign's witnesses, or any player's seat that
// does not hold the side, by a key that no umpire gave it.
func (c *check) cosigners(side string) tree.Policy {
	if c.opened.Witnesses != "" {
		return c.policy
	}
	var list []tree.Witness
	for _, seat := range slices.Sorted(maps.Keys(c.signers.keys)) {
		if key := c.signers.keys[seat]; key.byUmpire == 0 && c.signers.seats[side] != seat {
			list = append(list, tree.Witness{Name: seat, Verifier: key.WitnessVerifier})
		}
	}
	return tree.AnyOf(list...)
}

// awaiting finds what may not come while a roll awaits its round: whoever plays on, takes the declaration back or
// corrects it could have seen the round, and chooses whether its dice count. What ends the command of a round ends what
// the round decides.
func (c *check) awaiting(e *events.Event) {
	plays := !e.Type.HeardMeanwhile() && e.Corrects == 0 && e.Replaces == 0
	if plays && e.Request != "" || e.Type == "choice_made" || e.Type == "option_ruled" {
		c.come = come{}
	}
	r := c.awaited
	switch {
	case r == nil && plays:
		c.shelved = nil
	case r == nil:
		if k := c.shelved; k != nil && c.history.Head().Stands(k.at.Index) {
			c.awaited, c.shelved = k, nil
		}
	case plays:
		c.left(e, r, "type", "nothing is played before the dice of #%d, which awaits %s")
	case e.Corrects == r.at.Index:
		c.left(e, r, "corrects", "the roll #%d awaits %s, and is not corrected before its dice")
	case c.history.Head().Stands(r.at.Index):
	case r.lapses < beacon.MostLapses && e.Recorded.Unix() < c.abandonedFrom(r):
		c.left(e, r, "payload", "the roll #%d awaits %s, and is not taken back before its dice")
	default: // ruled void, because no other round may be named, or nobody cosigned it for long
		r.shelved = true
		if c.awaited, c.shelved = nil, r; r.lapses < beacon.MostLapses {
			c.abandoned = append(c.abandoned, abandoned{*e, c.abandonedFrom(r)})
		}
	}
}

// waits reports whether a roll may get its dice: the one that is awaited, or where none is, one that was ruled void and
// stands again because that and what was played behind it were taken back.
func (c *check) waits(r, awaited *roll) bool {
	return r != nil && (r == awaited || awaited == nil && r.shelved && c.history.Head().Stands(r.at.Index))
}

// abandonedFrom is when a roll may be ruled void for which nobody did what its dice wait for.
func (c *check) abandonedFrom(r *roll) int64 {
	if r.declared.Mode == contested {
		return r.asked.Unix() + beacon.Abandoned
	}
	return c.beacon.Time(r.round) + beacon.Abandoned
}

// abandoned is a roll that was ruled void because nobody had cosigned it for long, by the host's clock.
type abandoned struct {
	by   events.Event
	from int64 // when that was allowed
}

// hurried finds what was ruled void as abandoned, and stands in a checkpoint from before it could be.
func (c *check) hurried(x tree.Cosigned, p tree.Policy) {
	for _, k := range c.abandoned {
		if k.by.Index < x.Events && p.MetBefore(x.Cosignatures, k.from) {
			c.wrong(&k.by, CheckBeacon, "recorded", k.by.Recorded, time.Unix(k.from, 0).UTC(),
				"it is cosigned from before the time at which a roll counts as abandoned")
		}
	}
	c.abandoned = nil // a later checkpoint is later
}

// left notes that a roll was left which awaited its round.
func (c *check) left(e *events.Event, r *roll, field, why string) {
	awaits := fmt.Sprintf("round %d", r.round)
	if r.declared.Mode == contested {
		awaits = "a link"
	}
	c.wrong(e, CheckBeacon, field, e.Type, "dice_rolled", why, r.at.Index, awaits)
	r.doubt, c.awaited = true, nil
}

// awaits checks a declaration that names a round, or takes the one that has just come.
func (c *check) awaits(e *events.Event, p *events.RollDeclared) {
	if p.Mode == byBeacon {
		c.count(CheckBeacon)
	}
	r := c.rolls[e.Index]
	r.round, r.named, r.hash, r.asked = p.Round, e.Index, c.ties.newest, e.Recorded
	if p.Mode == contested {
		c.contests(e, p)
	} else if r.policy = c.cosigners(e.Side); len(p.Sources) != 0 {
		c.wrong(e, CheckBeacon, "payload.sources", len(p.Sources), 0, "no link decides dice by a beacon")
	}
	if p.Mode != c.opened.Dice || p.Mode == byBeacon && c.rounds == nil { // the mode is not the campaign's
		return
	}
	switch {
	case e.Corrects != 0 || e.Replaces != 0:
		c.wrong(e, CheckBeacon, "payload.mode", p.Mode, nil,
			"dice of a correction fall when it is made, and no round decides them")
	case p.First == 0 && (p.Round == 0 && p.Mode == byBeacon || p.Ordinal != 0):
		c.wrong(e, CheckBeacon, "payload.round", p.Round, nil, "the first roll of a round names it")
	case p.First == 0 && c.come.rolls > 0 && c.come.command == e.Command: // its dice are known
		r.doubt = true
		c.wrong(e, CheckBeacon, "payload.first", p.First, c.come.first,
			"a roll behind one of a round, of the same command and without a choice between, takes that round")
	case p.First == 0:
		c.come, c.awaited = come{}, r
	case c.come.first != p.First || c.come.number != p.Round || c.come.rolls != p.Ordinal ||
		c.come.command != e.Command:
		c.wrong(e, CheckBeacon, "payload.first", p.First, c.come.first,
			"a roll behind one of a round, of the same command and without a choice between, takes that round")
	default:
		r.sampler = c.sampler(p.Ordinal)
		c.come.rolls++
	}
}

// sampler throws the dice of a roll by the round that has come.
func (c *check) sampler(ordinal int) *chance.Sampler {
	seed := chance.BeaconSeed(c.come.randomness, c.file.Header.Campaign, c.come.declared, uint64(ordinal))
	return chance.NewSampler(seed)
}

// lapsed takes another round for a roll whose declaration was not cosigned in time.
func (c *check) lapsed(e *events.Event, p *events.RollLapsed) {
	c.count(CheckBeacon)
	r := c.roll(p.Declared)
	switch {
	case !c.waits(r, c.awaited):
		c.wrong(e, CheckBeacon, "payload.declared", p.Declared, nil, "no roll awaits a round there")
		return
	case p.Link.Chain != "":
		c.unwitnessed(e, p, r)
		return
	case p.Round != r.round || p.Next <= p.Round:
		c.wrong(e, CheckBeacon, "payload.round", p.Round, r.round,
			"another round was awaited, or none after it is next")
	case r.lapses >= beacon.MostLapses:
		c.wrong(e, CheckBeacon, "payload.declared", p.Declared, nil, "a roll lapses %d times at most",
			beacon.MostLapses)
	}
	r.round, r.named, r.policy = p.Next, e.Index, c.cosigners(r.at.Side)
	if r.lapses++; r.lapses == 1 {
		c.unable(1, "rolls by a round after the one first named",
			"host or witness could have let the first pass because of its dice: who cosigned in time keeps the note")
	}
}

// unwitnessed takes a link of the host's chain for a roll that lapsed as often as it may, where the campaign was opened
// so.
func (c *check) unwitnessed(e *events.Event, p *events.RollLapsed, r *roll) {
	if c.opened.Unwitnessed != byChain || r.lapses < beacon.MostLapses || p.Round != r.round || p.Next != 0 ||
		r.link.Chain != "" {
		c.wrong(e, CheckBeacon, "payload.link", p.Link.Chain, nil,
			"a link decides a roll that lapsed %d times, where the campaign was opened so, and no other",
			beacon.MostLapses)
		return
	}
	c.spend(e, p.Link, chance.Dice, "payload.link")
	r.lapses++
	r.link, r.epoch, r.named = p.Link, e.Epoch, e.Index
}

// decided checks a throw by a round.
func (c *check) decided(e *events.Event, p *events.DiceRolled, r *roll, t events.Throw) {
	c.count(CheckBeacon)
	if r.link.Chain != "" && r.declared.First == 0 {
		if c.awaited == r {
			c.awaited = nil
		}
		if p.Round != 0 || p.Signature+p.Note != "" {
			c.wrong(e, CheckBeacon, "payload.round", p.Round, 0, "a link decides these dice, and no round")
		}
		c.follows(e, p, r, t)
		return
	}
	if len(p.Links) != 0 || p.Typed+p.Confirmed != "" {
		c.wrong(e, CheckBeacon, "payload.links", len(p.Links), 0, "no link and no seat decides dice by a beacon")
	}
	first := len(r.fell) == 1 && r.declared.First == 0
	if !first && (p.Round != 0 || p.Signature+p.Note != "") {
		c.wrong(e, CheckBeacon, "payload.round", p.Round, nil, "the round stands in the first throw that it decides")
	}
	if first {
		c.comes(e, p, r)
	}
	if r.sampler != nil {
		c.falls(e, p, r.sampler.Throw(t), "the round gives another die")
	}
}

// comes checks the round that a roll awaited, and who saw it declared before.
func (c *check) comes(e *events.Event, p *events.DiceRolled, r *roll) {
	awaited := c.awaited
	c.awaited = nil
	switch {
	case !c.waits(r, awaited):
		c.wrong(e, CheckBeacon, "payload.declared", p.Declared, nil, "no roll awaits a round there")
		return
	case p.Round != r.round:
		c.wrong(e, CheckBeacon, "payload.round", p.Round, r.round, "another round was named in #%d", r.named)
		return
	}
	signature, err := hex.DecodeString(p.Signature)
	if err == nil {
		err = c.rounds.Verify(p.Round, signature)
	}
	if err != nil {
		c.wrong(e, CheckBeacon, "payload.signature", p.Signature, nil, "%v", err)
		return
	}
	c.signers.come = max(c.signers.come, c.beacon.Time(p.Round))
	c.come = come{number: p.Round, randomness: beacon.Randomness(signature), first: p.Declared, declared: r.hash,
		command: r.at.Command, rolls: 1}
	r.sampler = c.sampler(0)
	if x, seen := c.seen(e, p.Note, r.policy, r.named, p.Round); seen {
		r.cosigned = x.Cosignatures
		c.hurried(x, r.policy)
		c.backwards(r)
	}
}

// seen checks the note in an event which shows that what named a round, in the event at index named, was recorded
// before that round came.
func (c *check) seen(e *events.Event, note string, policy tree.Policy, named, round uint64) (tree.Cosigned, bool) {
	x, err := tree.ParseCosigned(note, tree.Verifier{}, policy)
	switch {
	case err != nil:
		c.wrong(e, CheckBeacon, "payload.note", nil, nil, "%v", err)
	case x.Campaign != c.file.Header.Campaign || x.Events <= named || x.Events > e.Index:
		c.wrong(e, CheckBeacon, "payload.note", x.Events, named+1,
			"the checkpoint does not hold the declaration in #%d", named)
	case c.rootOf(x.Events) != x.Root:
		c.wrong(e, CheckBeacon, "payload.note", x.Root, c.rootOf(x.Events),
			"the checkpoint is of other events than these")
	case !policy.MetBefore(x.Cosignatures, c.beacon.Time(round)):
		c.wrong(e, CheckBeacon, "payload.note", nil, nil,
			"too few witnesses cosigned the declaration before round %d came", round)
	default:
		return x, true
	}
	return x, false
}

// backwards notes who cosigned a roll at a time before that of an earlier checkpoint, where those who did not are too
// few: their times do not show that the declaration came before its round.
func (c *check) backwards(r *roll) {
	var forward []tree.Cosignature
	for _, w := range r.cosigners() {
		at := r.cosigned[slices.IndexFunc(r.cosigned, func(x tree.Cosignature) bool { return x.Witness == w.Name })]
		if key := w.Verifier.String(); at.Time < c.clocks[key] {
			r.back = append(r.back, w.Name)
		} else {
			c.clocks[key] = at.Time
			forward = append(forward, at)
		}
	}
	if r.policy.MetBefore(forward, c.beacon.Time(r.round)) {
		r.back = nil
	}
}
