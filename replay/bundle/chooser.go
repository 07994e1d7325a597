package bundle

import (
	"fmt"
	"maps"
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/beacon"
	"github.com/watu-ledger/watu/events/history"
	"github.com/watu-ledger/watu/events/tree"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/rules/chance"
)

// Chooser is who could have chosen the dice of a roll, as far as its record shows.
type Chooser string

// Everybody who could have chosen dice.
const (
	ByNobody         Chooser = "nobody"
	ByHost           Chooser = "host"
	ByHostOrCosigner Chooser = "host or cosigner" // one of them let a round pass
	// ByHostWithCosigner is the host together with whoever holds the key of a seat that cosigned, himself perhaps.
	ByHostWithCosigner Chooser = "host with cosigner"
	BySeats            Chooser = "seats"         // dice of a table, that two players signed
	ByHostOrSeats      Chooser = "host or seats" // dice of a table, that anybody may have typed for them
	ByKeyHolder        Chooser = "key holder"    // of a beacon that is not quicknet
	ByAnyone           Chooser = "anyone"        // could compute them beforehand
	Undecided          Chooser = "undecided"     // no dice fell
	NotChecked         Chooser = "not checked"   // as Why says if the rules call for the roll, else the host
)

// Choice says who could have chosen the dice of one roll.
type Choice struct {
	Event uint64  `json:"event"` // that declares the roll
	Who   Chooser `json:"who"`
	Why   string  `json:"why"`
	Void  bool    `json:"void,omitempty"` // the roll was taken out of the campaign
}

// Witness is one whose cosignatures a campaign with dice by a beacon asks for.
type Witness struct {
	Name        string `json:"name"` // in the policy
	Key         string `json:"key"`
	Fingerprint string `json:"fingerprint"` // of the key, for people to compare
	URL         string `json:"url,omitempty"`
	Earlier     bool   `json:"earlier,omitempty"` // a key that cosigned rolls, and that the seat has no more
}

// Choices says of every roll who could have chosen its dice, in the order of their declarations. It reads nothing but
// the events, so a file of a record's events will do. What is wrong with them, [File.Check] finds; dice with a finding
// are not called nobody's choice.
func (f *File) Choices() []Choice { return f.rolled(Options{}).choices() }

// choices says of every roll who could have chosen its dice.
func (c *check) choices() (list []Choice) {
	type entry struct{ side, turn, purpose string }
	out := map[entry]uint64{} // by which event such a roll was taken out, whose dice could be known
	var next []uint64         // such events that no roll was declared behind yet
	list = make([]Choice, 0, len(c.rolls)+len(c.fallen))
	for r := range c.everyRoll() {
		index := r.at.Index
		of := entry{r.at.Side, r.at.Turn.Label, r.declared.Purpose}
		who, why := c.chooser(r)
		switch by := out[of]; {
		case !r.awaits() || who == Undecided:
		case by != 0 && by < index:
			who, why = ByHost, fmt.Sprintf("#%d took out such a roll when its dice could be known, and this one was "+
				"entered behind it", by)
		case len(next) > 0 && next[0] < index:
			who, why = ByHost, fmt.Sprintf("#%d took out a roll when its dice could be known, and this one was "+
				"declared next", next[0])
		}
		if who != Undecided {
			next = slices.DeleteFunc(next, func(by uint64) bool { return by < index })
		}
		void := !c.history.Head().Stands(index)
		if taken := c.taken(r); void && r.awaits() && len(taken) > 0 {
			out[of], next = taken[0], append(next, taken[0])
		}
		list = append(list, Choice{index, who, why, void})
	}
	return list
}

// taken lists the events that took a roll out of the campaign, its declaration or dice of it.
func (c *check) taken(r *roll) (list []uint64) {
	list = append(list, c.history.Head().Sources(history.Voids, r.at.Index)...)
	for index := range r.thrown {
		list = append(list, c.history.Head().Sources(history.Voids, index)...)
	}
	slices.Sort(list)
	return list
}

func (c *check) chooser(r *roll) (who Chooser, why string) {
	taken := c.taken(r)
	switch first := c.roll(r.declared.First); {
	case r.awaits() && len(taken) > 0:
		return ByHost, fmt.Sprintf("#%d took it out of the campaign when its dice could be known: whether they count, "+
			"was a choice", taken[0])
	case r.shelved:
		return ByHost, "it was ruled void when its dice could be known, and that was taken back: whether they count, " +
			"was a choice"
	case len(r.fell) < max(1, len(r.declared.Throws)):
		return Undecided, "its dice did not come"
	case r.doubt:
		return ByHost, "what is recorded of it is wrong"
	case r.declared.Mode == attested && r.signed:
		return BySeats, fmt.Sprintf("%s typed them and %s confirmed them, each by a key of his own", r.typed,
			r.confirmed)
	case r.declared.Mode == attested:
		return ByHostOrSeats, fmt.Sprintf("%s typed them and %s confirmed them; not both signed, so the host can have "+
			"typed for them", r.typed, r.confirmed)
	case r.declared.Mode == byBeacon && r.declared.First == 0:
		return c.beaconChooser(r)
	case r.declared.Mode == byBeacon && first != nil:
		return c.beaconChooser(first)
	case r.declared.Mode == contested && r.declared.First == 0:
		return c.contestChooser(r)
	case r.declared.Mode == contested && first != nil:
		return c.contestChooser(first)
	case c.opened.Demo:
		return ByAnyone, "the seed was published: whoever knows it knows every roll to come"
	case r.replaces:
		return ByHost, "a correction threw them again, by the chain that the host knows"
	case r.passed:
		return ByHost, "links of the chain were passed over before it"
	case c.seedsOf(r.at.Epoch) == chance.ByPosition:
		return ByHost, "his secret alone decides: he could pick it before its epoch began, and knows every roll to come"
	}
	return ByHost, "his secret alone decides, and what he entered before the roll moved it to other dice"
}

// signedItself reports whether the player of a seat signed what led to an event, with a key that no umpire gave him.
func (c *check) signedItself(e *events.Event) bool {
	key, keyed := c.signers.keys[e.Seat]
	n := len(c.findings)
	return e.Signed != "" && keyed && key.byUmpire == 0 &&
		(n == 0 || c.findings[n-1].Event == nil || *c.findings[n-1].Event != e.Index)
}

// beaconChooser is the chooser of dice that a round decided, by the roll that named the round.
func (c *check) beaconChooser(r *roll) (who Chooser, why string) {
	switch {
	case r.doubt:
		return ByHost, fmt.Sprintf("what is recorded of the roll #%d, which named their round, is wrong", r.at.Index)
	case r.link.Chain != "":
		return ByHost, fmt.Sprintf("nobody cosigned it before its rounds came, and the host's chain, which he knows, "+
			"was named in #%d", r.named)
	case len(r.back) > 0:
		return ByHostOrCosigner, fmt.Sprintf("%s cosigned it at a time before that of an earlier checkpoint: such a "+
			"clock does not show that it was declared before its round", words.And(r.back))
	case c.beacon != beacon.Quicknet():
		return ByKeyHolder, "who holds the key of the beacon " + c.beacon.Name + " knows all its rounds"
	case r.lapses > 0:
		return ByHostOrCosigner, fmt.Sprintf("round %d was named first and passed over: they could have seen its dice",
			r.declared.Round)
	}
	var by []string
	for _, x := range r.cosigned {
		by = append(by, x.Witness)
	}
	if c.opened.Witnesses == "" {
		return ByHostWithCosigner, fmt.Sprintf("the host together with %s, who cosigned the declaration of round %d: "+
			"the host may be that player, or an ally of his", words.Or(c.cosignedAs(r)), r.round)
	}
	return ByNobody, fmt.Sprintf("%s cosigned the declaration before round %d came", words.And(by), r.round)
}

// cosignedAs names the seats that cosigned a roll, with the fingerprints of keys that they have no more.
func (c *check) cosignedAs(r *roll) (list []string) {
	for _, w := range r.cosigners() {
		name := w.Name
		if c.signers.keys[w.Name].String() != w.Verifier.String() {
			name = fmt.Sprintf("%s by an earlier key (%s)", w.Name, w.Verifier.Fingerprint())
		}
		list = append(list, name)
	}
	return list
}

// cosigners are those who cosigned a roll, by the keys that they had then.
func (r *roll) cosigners() []tree.Witness {
	return slices.DeleteFunc(r.policy.Witnesses(), func(w tree.Witness) bool {
		return !slices.ContainsFunc(r.cosigned, func(x tree.Cosignature) bool { return x.Witness == w.Name })
	})
}

// witnesses lists the witnesses of the campaign, and the keys that cosigned and that their seats have no more.
func (c *check) witnesses() (list []Witness) {
	p, seats := c.policy, c.opened.Dice == byBeacon && c.opened.Witnesses == ""
	if seats {
		p = c.cosigners("")
	}
	add := func(w tree.Witness, earlier bool) {
		x := Witness{w.Name, w.Verifier.String(), w.Verifier.Fingerprint(), w.URL, earlier}
		if !slices.ContainsFunc(list, func(y Witness) bool { return x.Name == y.Name && x.Key == y.Key }) {
			list = append(list, x)
		}
	}
	for _, w := range p.Witnesses() {
		add(w, false)
	}
	for r := range c.everyRoll() {
		for _, w := range r.cosigners() {
			add(w, true)
		}
	}
	return list
}

// calls are the events by which the rules have to call for a roll, and for its dice.
func (r *roll) calls() []uint64 {
	list := append(slices.Collect(maps.Keys(r.thrown)), r.at.Index)
	if r.declared.First != 0 {
		list = append(list, r.declared.First)
	}
	return list
}
