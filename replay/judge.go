package replay

import (
	"errors"
	"fmt"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/chance"
)

// judgement is one command under judgement, and who answers what it asks.
type judgement struct {
	campaign *Campaign
	secrets  Secrets
	before   rules.Game // the state on which it is judged
	command  rules.Command
	answers  []rules.Answer    // so far: recorded ones first
	place    func(int) uint64  // index of the n-th draft
	rolled   int               // answers of dice and draws that stand in the log already
	sources  []events.Source   // of the rolls and draws made now, in order
	links    []events.Hash     // beside sources
	taken    map[string]uint64 // links taken from each chain now
	dry      bool              // stop where dice or cards would be needed
	trial    bool              // what is sealed to whoever judges need not be known

	typed, confirmed string // the seats that attest the dice given now
}

// errTooLong guards against a system that never stops asking.
var errTooLong = errors.New("the ruling asks for more than 10,000 answers")

// ErrSealed is wrapped where a command turns on a secret whose opening is not here. In play all of them are, unless the
// ledger has lost some: then the command is neither allowed nor refused, for both would be guesses.
var ErrSealed = errors.New("a secret that it turns on is not known here")

// Decided says why an outcome that was reached in play decides nothing, as an [ErrSealed]; nil if it does. A refusal
// always does.
func Decided(command string, o rules.Outcome) error {
	if len(o.Sealed) == 0 || o.Verdict == rules.Refused {
		return nil
	}
	at := o.Sealed[0]
	return fmt.Errorf("entry %q: %w: %q of #%d, whose opening the ledger has lost", command, ErrSealed, at.Slot, at.Index)
}

// run calls Decide until it ends, rolling and drawing as it asks.
func (j *judgement) run() (rules.Outcome, error) {
	j.taken = map[string]uint64{}
	for range 10_000 {
		h := rules.NewHearing(j.answers, j.place)
		j.before.Decide(j.command, h)
		o := h.Outcome()
		if err := Decided(j.command.ID, o); err != nil && !j.trial {
			return o, err
		}
		need := o.Need
		if need == nil || need.Choice != nil || need.Refer != nil || j.dry || j.campaign.throws(need) {
			return o, errors.Join(j.complete(o.Drafts), j.distinct(o.Drafts))
		}
		answer, err := j.chance(need, j.place(len(o.Drafts)-1))
		if err != nil {
			return o, err
		}
		j.answers = append(j.answers, answer)
	}
	return rules.Outcome{}, errTooLong
}

// chance rolls or draws for a need that is declared at the given index.
func (j *judgement) chance(n *rules.Need, declared uint64) (rules.Answer, error) {
	if o := j.campaign.oracle; o != nil {
		a, source, link, ok, err := o.recall(j, n, declared)
		if err != nil {
			return a, err
		}
		if ok {
			j.sources, j.links = append(j.sources, source), append(j.links, link)
			return a, nil
		}
	}
	name, label := chance.Dice, chance.DiceLabel
	if n.Draw != nil {
		name, label = chance.Draws(n.Side), chance.DrawLabel
	}
	source, err := j.campaign.source(name, j.taken)
	if err != nil {
		return rules.Answer{}, err
	}
	link, err := j.campaign.link(j.secrets, source)
	if err != nil {
		return rules.Answer{}, err
	}
	if o := j.campaign.oracle; o != nil {
		source.Chain = o.seed + " " + source.Chain // no chain of the campaign
	}
	j.sources, j.links = append(j.sources, source), append(j.links, link)
	d := chance.Declaration{Label: label, Campaign: j.campaign.ID, Epoch: j.campaign.Epoch, Index: declared}
	a, err := sample(d, link, n)
	if o := j.campaign.oracle; o != nil && err == nil {
		o.fell(declared, a)
	}
	return a, err
}

// throws reports whether the dice that are needed are thrown at a table.
func (c *Campaign) throws(n *rules.Need) bool { return n.Roll != nil && c.Dice == Attested }

// sample turns a link into the dice or positions that a need calls for.
func sample(d chance.Declaration, link events.Hash, n *rules.Need) (rules.Answer, error) {
	s := chance.NewSampler(chance.Seed(d, chance.Contribution{Link: link}))
	if n.Draw != nil {
		if n.Draw.PoolSize > chance.MaxSides || n.Draw.Count < 0 || n.Draw.Count > n.Draw.PoolSize {
			return rules.Answer{}, fmt.Errorf("cannot draw %d of %d cards", n.Draw.Count, n.Draw.PoolSize)
		}
		return rules.Answer{Positions: s.Shuffle(n.Draw.PoolSize)[:n.Draw.Count]}, nil
	}
	var a rules.Answer
	for _, t := range n.Roll.Throws {
		a.Dice = append(a.Dice, s.Throw(t))
	}
	return a, nil
}

// complete writes into the drafts what only the dice box knows: which link decides a roll or
// draw, and the link itself beside the dice; of dice thrown at a table, who attests them. The
// link of a draw stays secret: it would tell every draw of that side before it.
func (j *judgement) complete(drafts []rules.Draft) error {
	skip, next := j.rolled, 0
	var source events.Source
	var link events.Hash
	take := func() bool {
		if skip > 0 {
			skip--
			return false
		}
		if next == len(j.sources) {
			return false // declared, and not yet rolled
		}
		source, link = j.sources[next], j.links[next]
		next++
		return true
	}
	for i := range drafts {
		switch p := drafts[i].Payload.(type) {
		case *events.RollDeclared:
			if j.campaign.Dice == Attested {
				p.Mode = Attested
			} else if take() {
				p.Sources = []events.Source{source}
			}
		case *events.DrawDeclared:
			if take() {
				p.Source = source
			}
		case *events.DiceRolled:
			if j.campaign.Dice == Attested {
				p.Typed, p.Confirmed = j.typed, j.confirmed
				continue
			}
			p.Links = []events.Link{{Chain: source.Chain, Position: source.Position, Link: link}}
		}
	}
	if next != len(j.sources) {
		return errors.New("a roll was made that nobody declared")
	}
	return nil
}

// distinct holds the command to one secret a slot, over all its steps: a second one would have
// the salt of the first. A choice is an answer's own secret: it stands in a command of its own.
func (j *judgement) distinct(drafts []rules.Draft) error {
	taken := map[string]bool{}
	for _, d := range drafts {
		if _, answer := d.Payload.(*events.ChoiceMade); answer {
			continue
		}
		for _, s := range d.Secrets {
			if taken[s.Slot] {
				return fmt.Errorf("entry %q: two secrets in slot %q", j.command.ID, s.Slot)
			}
			taken[s.Slot] = true
		}
	}
	return nil
}

// recordedAnswers reads back, from a hearing's own events, the answers it was given. Those that are not known, because
// the link of a draw or the opening of a choice is not, are unknown answers.
func recordedAnswers(c *Campaign, link linker, heard []events.Event, known openings) ([]rules.Answer, error) {
	var answers []rules.Answer
	rolled := uint64(0) // index of the declaration whose dice come last
	for i := range heard {
		e := &heard[i]
		switch p, _ := events.PayloadOf(e); p := p.(type) {
		case *events.DiceRolled:
			if p.Declared != rolled || len(answers) == 0 {
				answers, rolled = append(answers, rules.Answer{}), p.Declared
			}
			last := &answers[len(answers)-1]
			last.Dice = append(last.Dice, p.Dice)
		case *events.DrawDeclared:
			a, err := drawnAgain(c, link, e, p)
			var sealed *sealedError
			switch {
			case errors.As(err, &sealed):
				a = rules.Answer{Unknown: &rules.Unanswered{Draw: true, At: events.Ref{Index: e.Index, Slot: rules.SlotLink}}}
			case err != nil:
				return nil, err
			}
			answers = append(answers, a)
		case *events.ChoiceMade:
			options, ok := chosen(e, p, known)
			if !ok {
				options, ok = playedOut(heard[i:])
			}
			a := rules.Answer{Options: options}
			if !ok {
				a = rules.Answer{Unknown: &rules.Unanswered{At: events.Ref{Index: e.Index, Slot: rules.SlotChoice}}}
			}
			answers = append(answers, a)
		}
	}
	return answers, nil
}

// playedOut reads what a side chose in secret, the first of the events, off the cards that it then played before
// everyone's eyes. Until the contest is settled some may be to come.
func playedOut(heard []events.Event) (options []string, ok bool) {
	for i := range heard {
		e := &heard[i]
		var play events.CardPlayed
		switch {
		case e.Type == "contest_settled":
			return options, true
		case e.Side == heard[0].Side && e.Read(&play):
			options = append(options, play.Card)
		}
	}
	return nil, false
}

// linker gives a link of a chain, or why it is not known.
type linker func(epoch uint64, s events.Source) (events.Hash, error)

// linker gives the campaign's links, which grow from its secrets.
func (c *Campaign) linker(secrets Secrets) linker {
	return func(epoch uint64, s events.Source) (events.Hash, error) {
		chain := c.chains[s.Chain]
		if chain == nil || s.Position < 1 || s.Position > chain.length {
			return events.Hash{}, fmt.Errorf("no link %d on chain %q", s.Position, s.Chain)
		}
		if epoch == c.Epoch {
			return c.link(secrets, s)
		}
		if err := secrets.here(epoch); err != nil {
			return events.Hash{}, err
		}
		return chance.NewChain(chance.ChainSeed(secrets.Of(epoch), c.ID, epoch, s.Chain), chain.length).Link(s.Position), nil
	}
}

// drawnAgain repeats a draw from its link: positions are in no event.
func drawnAgain(c *Campaign, link linker, e *events.Event, p *events.DrawDeclared) (rules.Answer, error) {
	if c.oracle != nil {
		return c.oracle.again(e)
	}
	l, err := link(e.Epoch, p.Source)
	if err != nil {
		return rules.Answer{}, fmt.Errorf("event %d: %w", e.Index, err)
	}
	d := chance.Declaration{Label: chance.DrawLabel, Campaign: c.ID, Epoch: e.Epoch, Index: e.Index}
	return sample(d, l, &rules.Need{Draw: p, Side: e.Side})
}
