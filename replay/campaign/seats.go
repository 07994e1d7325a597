package campaign

import (
	"maps"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/envelope"
	"github.com/watu-ledger/watu/events/tree"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/replay/rehear"
	"github.com/watu-ledger/watu/rules"
)

// UmpireSeat is the seat that speaks for every side, alone or beside the players' seats.
const UmpireSeat = "umpire"

// Seat is a person at a campaign and the sides that he speaks for.
type Seat struct {
	Name  string   `json:"name"`
	Role  string   `json:"role,omitempty"` // "umpire" or "player"; a new campaign's are players
	Sides []string `json:"sides"`
}

const RolePlayer = "player"

// seat notes that somebody has taken a seat, or other sides in his.
func (c *Campaign) seat(e *events.Event) {
	var p events.SeatTaken
	if !e.Read(&p) {
		return
	}
	s := Seat{Name: p.Seat, Role: p.Role, Sides: p.Sides}
	if i := slices.IndexFunc(c.Seats, func(k Seat) bool { return k.Name == s.Name }); i >= 0 {
		c.Seats = slices.Clone(c.Seats)
		c.Seats[i] = s
		return
	}
	c.Seats = append(c.Seats, s)
}

// SeatKey is the key with which the player of a seat signs his commands.
type SeatKey struct {
	Seat     string
	Key      tree.WitnessVerifier
	ByUmpire bool   // the umpire replaced an earlier one: its signatures prove no more than his word
	Chain    string // the name of the player's own chain; empty for none
}

// keySeat notes that a seat has a key, or another one. It keeps it whatever is voided.
func (c *Campaign) keySeat(e *events.Event) {
	var first events.SeatKeyed
	var later events.SeatRekeyed
	if e.Read(&first) {
		later.Seat, later.Key, later.Chain = first.Seat, first.Key, first.Chain
	} else if !e.Read(&later) {
		return
	}
	key, err := tree.ParseWitness(later.Key)
	if err != nil {
		return
	}
	old, _ := c.KeyOf(later.Seat) // what the umpire's key signs is the umpire's word, a further key among it
	keys := slices.DeleteFunc(slices.Clone(c.Keys), func(k SeatKey) bool { return k.Seat == later.Seat })
	c.Keys = append(keys, SeatKey{later.Seat, key, later.ByUmpire || old.ByUmpire, later.Chain.Chain})
	if a := later.Chain; a.Chain != "" {
		c.own = maps.Clone(c.own)
		if c.own == nil {
			c.own = map[string]*chainState{}
		}
		c.own[a.Chain] = &chainState{length: a.Length, anchor: a.Anchor, seat: later.Seat}
	}
}

// KeyOf finds the key of a seat.
func (c *Campaign) KeyOf(seat string) (SeatKey, bool) {
	return rules.Find(c.Keys, func(k SeatKey) bool { return k.Seat == seat })
}

// holder finds the player's seat that holds a side.
func (c *Campaign) holder(side string) (Seat, bool) {
	return rules.Find(c.Seats, func(s Seat) bool { return s.Name != UmpireSeat && slices.Contains(s.Sides, side) })
}

// Cosigners are who may cosign the declaration of a roll of a side: the campaign's witnesses, or any seat that does not
// hold the side, by a key that its player chose himself.
func (c *Campaign) Cosigners(side string) tree.Policy {
	if !c.BySeats {
		return c.Witnesses
	}
	var list []tree.Witness
	for _, s := range c.Seats {
		key, keyed := c.KeyOf(s.Name)
		if s.Name != UmpireSeat && keyed && !key.ByUmpire && !slices.Contains(s.Sides, side) {
			list = append(list, tree.Witness{Name: s.Name, Verifier: key.Key})
		}
	}
	return tree.AnyOf(list...)
}

// Signers names the seats that have to sign a command with these events: those that hold the sides whose act it is, as
// far as they have keys, or the campaign is opened so that all of them need one. If there are none, it is the player's
// seat that entered it. Acting are the sides.
func (c *Campaign) Signers(seat, verb string, drafts []rules.Draft) (signers, acting []string) {
	named := false
	for _, d := range drafts {
		side := d.Side
		if by := events.Declares(d.Payload); by != "" { // whoever draws cards behind it
			if _, held := c.holder(by); held {
				side = by
			}
		}
		if envelope.Acts(verb, d.Payload.Type(), side, named) && !slices.Contains(acting, side) {
			acting = append(acting, side)
		}
		named = named || side != ""
	}
	if len(acting) > 0 && verb != VerbAnswer {
		acting = withCards(acting, drafts)
	}
	for _, side := range acting {
		seat, held := c.holder(side)
		if _, keyed := c.KeyOf(seat.Name); held && (keyed || c.Signed) && !slices.Contains(signers, seat.Name) {
			signers = append(signers, seat.Name)
		}
	}
	if _, keyed := c.KeyOf(seat); (keyed || c.Signed && seat != UmpireSeat) && len(signers) == 0 {
		signers = []string{seat}
	}
	return signers, acting
}

// Speaks finds that a command is not for a seat to sign: it is an act of sides that others hold, or of none. First is
// the type of its first event.
func (c *Campaign) Speaks(seat, verb string, first events.Type, acting []string, f *rules.Findings) {
	own, _ := c.SeatNamed(seat)
	speaks(seat, own.Sides, acting, f)
	if !envelope.Signable(verb, first, len(acting) > 0) {
		f.ViolateField(verb, rules.Input, "%s is no act of a side here: it is for the umpire to enter, not for %s "+
			"to sign", verb, seat)
	}
}

// speaks finds that sides act for which somebody does not speak.
func speaks(who string, own, acting []string, f *rules.Findings) {
	for _, side := range acting {
		if !slices.Contains(own, side) {
			f.ViolateField("seat", rules.Signed, "%s does not speak for %s", who, side)
		}
	}
}

// MayAct reports whether an entry with this verb may be an act of a side: neither the course of the game, nor what the
// umpire alone enters, nor what any seat may say.
func MayAct(verb, side string) bool { return envelope.Acts(verb, "", side, false) }

// Alone finds that what follows from a command is not for the side to enter whose act alone it may be
// ([rules.Command.As]): another acts too, or none, or throws dice; a phase begins that is not its own; or the rules
// warn of it, and a warning is for the umpire to look at.
func (c *Campaign) Alone(k rules.Command, drafts []rules.Draft, warnings []string, f *rules.Findings) {
	_, acting := c.Signers(k.Seat, k.Verb, drafts)
	speaks(k.As, []string{k.As}, acting, f)
	umpires := func(why string) { f.ViolateField(k.Verb, rules.Input, "%s: %s", why, byUmpire) }
	if len(acting) == 0 && len(drafts) > 0 {
		umpires(k.Verb + " is no act of " + k.As + " alone")
	}
	for _, d := range drafts {
		switch p := d.Payload.(type) {
		case *events.RollDeclared:
			others := func(t events.Throw) bool { return t.Side != "" && t.Side != k.As }
			if i := slices.IndexFunc(p.Throws, others); i >= 0 {
				umpires("dice of " + p.Throws[i].Side + " fall in it")
			}
		case *events.SubmarinesHunted:
			if p.Declared == 0 && p.Attacker == k.As {
				umpires("no destroyer hunts in it, and what others have there is not for " + k.As + " to say")
			}
		}
	}
	begins(k, k.As, drafts, func(player string) bool { return player != k.As }, f)
	for _, text := range warnings {
		umpires("this is warned of: " + text)
	}
}

// byUmpire is what to do with an entry that the umpire may enter in a player's place.
const byUmpire = "give it to the umpire, who may enter it"

// Cautioned finds that a command which a player signed is for the umpire to look at first: a phase of a power begins
// with it that others speak for, or a TURN begins with it and the rules warn, for that may end another's for good. Once
// the umpire has begun that TURN, it is the player's to enter.
func (c *Campaign) Cautioned(k rules.Command, drafts []rules.Draft, warnings []string, f *rules.Findings) {
	seat, _ := c.SeatNamed(k.Seat)
	others := func(player string) bool {
		_, held := c.holder(player)
		return held && !slices.Contains(seat.Sides, player)
	}
	begins(k, seat.Name, drafts, others, f)
	_, now := c.Game.TurnNow()
	turns := slices.ContainsFunc(drafts, func(d rules.Draft) bool {
		p, ok := d.Payload.(*events.PhaseAdvanced)
		return ok && p.Player != "" && !strings.HasPrefix(now, p.Player+" ")
	})
	for _, text := range warnings {
		if turns {
			f.ViolateField(k.Verb, rules.Input, "a TURN begins with this, and it is warned of: %s: ask the umpire to "+
				"begin that TURN first", text)
		}
	}
}

// begins finds that a phase begins that is another's.
func begins(k rules.Command, who string, drafts []rules.Draft, others func(string) bool, f *rules.Findings) {
	for _, d := range drafts {
		if p, ok := d.Payload.(*events.PhaseAdvanced); ok && others(p.Player) {
			f.ViolateField(k.Verb, rules.Input, "the %s phase begins with it, which is not for %s to say: the umpire "+
				"may begin it", p.Phase, who)
		}
	}
}

// Unsigned finds that a command which nobody signed has to be signed: by the seat with a key whose act it is, unless
// the campaign lets the umpire enter it.
func (c *Campaign) Unsigned(seat string, k rules.Command, drafts []rules.Draft, f *rules.Findings) {
	signers, _ := c.Signers(seat, k.Verb, drafts)
	unkeyed, none := rules.Find(signers, func(name string) bool {
		_, keyed := c.KeyOf(name)
		return !keyed
	})
	switch {
	case k.Seat == UmpireSeat && AbsentIn(k.Body) != "" && (k.Verb == VerbAnswer || k.Verb == VerbDice):
		// He answers in the place of a side whose time is over.
	case none:
		f.ViolateField("seat", rules.Input, "%s has no key yet, and all entries are signed here: watu seat "+
			"invite %s %[1]s", unkeyed, c.Name)
	case len(signers) > 0 && !c.Proxy:
		who := signers[0] + " has a key, and signs what it enters by watu play"
		if len(signers) > 1 {
			who = words.And(signers) + " have keys, and each signs what it enters: make an entry of each, and " +
				"list no cards, so that both are asked"
		}
		f.ViolateField("seat", rules.Input, "%s; the umpire may enter it in a campaign opened with --proxy", who)
	}
}

// SignedFor finds that a command which was referred, and leads to an outcome when it is heard again, is not signed by
// whom it would have to be.
func (c *Campaign) SignedFor(referred *events.Event, k rules.Command, o *rules.Outcome, f *rules.Findings) {
	signers, acting := c.Signers(k.Seat, k.Verb, o.Drafts)
	switch {
	case len(o.Drafts) == 0 || o.Verdict == rules.Referred:
	case referred.Signed != "":
		c.Speaks(k.Seat, k.Verb, o.Drafts[0].Payload.Type(), acting, f)
	case len(signers) > 0 && !c.Proxy:
		f.ViolateField("seat", rules.Input, "%s did not sign this, with the key that it has: it is to be entered "+
			"again, and signed", words.And(signers))
	}
}

// GoesOn reports whether something follows from a command that was referred, on the game after the ruling, from the
// event at an index on: nothing does if the rules refuse it then, or somebody would have to sign it, or to cosign its
// roll. Who may not open its entry, or what the rules look at to judge it, does not know that.
func (c *Campaign) GoesOn(referred *events.Event, known Openings, ruled rules.Game, index uint64) bool {
	own := []events.Event{*referred}
	k, err := CommandOf(*referred, known.Own(own))
	if err != nil || len(known.Sealed(own)) > 0 {
		return false
	}
	o, err := rehear.Run(ruled, k, rules.Given(), func(n int) uint64 { return index + uint64(n) })
	var f rules.Findings
	c.SignedFor(referred, k, &o, &f)
	return err == nil && len(o.Sealed) == 0 && o.Verdict != rules.Refused && !o.Cut && !f.Refused() &&
		!c.Unseen(o.Need)
}

// Unseen reports whether a roll that is to be declared would await a round of a beacon, and nobody may cosign it.
func (c *Campaign) Unseen(n *rules.Need) bool {
	return n != nil && n.Roll != nil && c.Dice == Beacon && len(c.Cosigners(n.Side).Witnesses()) == 0
}

// withCards adds the sides for which an entry itself says which cards they put down, or that they put down none: both
// of a contest that nobody is asked about, and who plays in secret without being asked.
func withCards(acting []string, drafts []rules.Draft) []string {
	var contest []string
	add := func(sides ...string) {
		for _, side := range sides {
			if !slices.Contains(acting, side) {
				acting = append(acting, side)
			}
		}
	}
	for _, d := range drafts {
		switch p := d.Payload.(type) {
		case *events.ContestOpened:
			contest = []string{p.Acting, p.Opposing}
		case *events.ContestSettled:
			add(contest...)
		case *events.PlayCommitted:
			add(d.Side)
		}
	}
	return acting
}

// SeatNamed finds a seat; people write a name in any case.
func (c *Campaign) SeatNamed(name string) (Seat, bool) {
	return rules.Find(c.Seats, func(s Seat) bool { return strings.EqualFold(s.Name, name) })
}

// SeatNames lists the names of the seats.
func (c *Campaign) SeatNames() []string {
	return rules.Each(c.Seats, func(s Seat) string { return s.Name })
}

// Admit writes the seat of a command as the campaign does, and says what keeps that seat from
// it: a seat must have been taken, and rulings, compensations, names of the board and
// disclosures are the umpire's.
func (c *Campaign) Admit(command *rules.Command) []rules.Violation {
	var f rules.Findings
	s, ok := c.SeatNamed(command.Seat)
	switch {
	case !ok:
		f.ViolateField("", rules.Input, "nobody has the seat %q in campaign %s; %s", command.Seat, c.Name,
			words.There(c.SeatNames()))
	case s.Name != UmpireSeat && slices.Contains([]string{VerbRule, VerbReveal, VerbRuling, VerbRound, VerbLapse,
		VerbUnwitnessed, rules.VerbCompensate, rules.VerbAliases}, command.Verb):
		f.ViolateField(command.Verb, rules.Input, "%s is for the umpire to say, not for %s", command.Verb, s.Name)
	}
	command.Seat = s.Name
	return f.Violations
}
