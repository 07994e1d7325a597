package review

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/keys"
	"github.com/watu-ledger/watu/replay/rehear"
	"github.com/watu-ledger/watu/rules"
)

// Trial hears the commands of a record again, each on the state before it and with the answers that
// are recorded (dice, draws, choices, rulings), and says what comes out otherwise. It needs no
// ledger: the record, what opens its secrets, and the rules are enough.
type Trial struct {
	Systems  []rules.System
	Board    func(events.Board) ([]rules.BoardFile, error) // the files of the campaign's board
	Records  campaign.Records
	Events   uint64           // how many of them, from the first on; [campaign.Everything] for all
	Openings []events.Opening // beside those that the record discloses
	// Link gives the links that decided draws; nil where none is known. Those of dice are recorded.
	Link func(epoch uint64, s events.Source) (events.Hash, error)
	// Edition judges by another edition than the campaign's own; empty for that.
	Edition string
	From    uint64          // index of the first event whose command is heard; what came before counts as it stands
	Secrets *keys.Secrets   // the umpire's, from which every link grows
	Games   *campaign.Games // the umpire's
}

// Heard is one command heard again.
type Heard struct {
	Command   string
	Verb      string
	First     uint64 // index of its first event
	Events    int
	Findings  []Finding // what comes out otherwise; none where all is as recorded
	Unchecked string    // why it could not be heard again, or not all of it
	// indexes of the events that may or may not follow, for that reason; their contents may be checked all the same
	Uncertain []uint64
	Sealed    []events.Ref // the unopened commitments behind that, as far as they can be named
	Derived   Derived      // what is derived in the place of the events that come out otherwise

	of []uint64 // indexes of its events
}

// Indexes lists the indexes of its events.
func (h *Heard) Indexes() []uint64 { return h.of }

// Derived is what is derived in the place of events, by their index: nothing, one draft, or several.
type Derived map[uint64][]rules.Draft

func (i Derived) put(event uint64, drafts ...rules.Draft) Derived {
	if i == nil {
		i = Derived{}
	}
	i[event] = drafts
	return i
}

// Finding is one thing that comes out otherwise than recorded.
type Finding = rehear.Finding

// Hear hears every command again, in the order of the record, and hands each on. The error is what
// keeps the record from being read, or the one that each returns.
func (t Trial) Hear(each func(Heard) error) error {
	b, err := t.start(each)
	if err != nil {
		return err
	}
	return b.hear()
}

// hear hears every command again.
func (b *trialRun) hear() error {
	if err := b.timeline.Extend(b.trial.Events, b.look); err != nil {
		return err
	}
	b.ended = true
	if err := b.conclude(b.timeline.Head); err != nil {
		return err
	}
	return b.endStep(b.timeline.Head)
}

// start begins a trial.
func (t Trial) start(each func(Heard) error) (*trialRun, error) {
	l := campaign.Library{Systems: map[string]rules.System{}, Board: t.Board, Games: t.Games}
	for _, s := range t.Systems {
		l.Systems[s.Name] = s
	}
	b := &trialRun{trial: t, each: each, known: campaign.OpeningsOf(t.Openings), referred: map[string]*heardAgain{}}
	b.timeline = campaign.NewTimeline(l, t.records, func(uint64, uint64) (campaign.Openings, error) {
		return b.known, nil
	})
	for e, err := range events.Decoded(t.Records(0, t.Events)) {
		if err != nil {
			return nil, err
		}
		b.known.Add(e.Openings...)
		b.noteReferred(e)
		b.hands.Add(e)
	}
	return b, nil
}

// records reads the record as far as it is tried.
func (t Trial) records(from, to uint64) iter.Seq2[events.Record, error] {
	return t.Records(from, min(to, t.Events))
}

// trialRun is a trial under way.
type trialRun struct {
	trial    Trial
	each     func(Heard) error
	known    campaign.Openings
	timeline *campaign.Timeline // of the record

	heard   []events.Event // the hearing, or the correction, under way
	before  rules.Game     // the state before it
	resumed uint64         // the event from which a hearing goes on that was interrupted; 0 for none
	strays  []Finding      // of the events heard, beside what follows from the command
	ahead   []Finding      // that the command was heard before its time, by what this program knows
	ruled   campaign.RuledOptions
	settled *events.Event // the last void of the step under way

	ended    bool               // no event is to come
	short    *events.Event      // the last of a hearing that lacks its rest; nil for none
	open     *campaign.Question // that waits for an answer
	asked    campaign.Referral  // the option that waits for a ruling
	answered campaign.Referral  // that the hearing answers, if it is a ruling

	elsewhere string        // by which build the hearing was judged, if by another
	unsure    string        // why it is not known whether more had to follow from the ruling that was heard
	rules     events.Hash   // fingerprint that the record stated last
	pinned    events.Hash   // and before the hearing
	began     *events.Event // the phase that began with a command in its place, as it is recorded there
	noLink    string        // why the link of a draw is not known
	reveal    *events.Event // with which a disclosure began

	hands campaign.Hands // of players

	referred map[string]*heardAgain // commands that were referred
	step     *correctedStep         // the correction under way, with what follows from it; nil for none
}

// look gathers the events of a hearing, and hears it when the next one begins.
func (b *trialRun) look(c *campaign.Campaign, e *events.Event, before rules.Game) error {
	err := b.gather(c, e, before)
	b.ruled.Follow(e)
	b.rules = c.Rules
	b.asked, b.open = campaign.Referral{}, c.Open
	if q := c.Open; q != nil && q.Refer != nil {
		b.asked = campaign.Referral{Option: q.Refer.Option, By: q.Index}
	}
	switch {
	case e.Type == "voided":
		b.settled = &events.Event{Command: e.Command, Turn: e.Turn, Phase: e.Phase}
	case b.settled != nil && e.Command != b.settled.Command:
		b.settled = nil
	}
	return err
}

func (b *trialRun) gather(c *campaign.Campaign, e *events.Event, before rules.Game) error {
	of := c.Heard.Events
	switch {
	case e.Corrects != 0 || e.Replaces != 0:
		b.heard, b.strays = append(b.heard, *e), append(b.strays, b.envelope(c, e)...)
		return nil
	case campaign.IsDisputeEvent(e.Type):
		return b.disputeAgain(c, e, campaign.VerbOf(e.Type))
	case len(of) > 0 && of[0] == e.Index:
		err := b.begin(c, e, c.Heard.Before)
		b.ahead = b.playedOn(c, e)
		return err
	case len(of) > 0 && of[len(of)-1] == e.Index && b.interrupted():
		return b.resume(c, e)
	case len(of) > 0 && of[len(of)-1] == e.Index:
		b.heard = append(b.heard, *e)
		b.strays = append(b.strays, b.envelope(c, e)...)
		return nil
	case e.Type == "option_ruled" || e.Type == "corrected" || e.Type == "consequence_kept" || e.Type == "voided" ||
		e.Type == "edition_moved" || e.Type == "rules_changed" || e.Type == "cards_drawn": // a hand, during a question
		if err := b.begin(c, e, before); err != nil {
			return err
		}
		b.answered = b.asked
	default:
		b.strays = append(b.strays, b.envelope(c, e)...)
		switch {
		case e.Type == "opened":
			b.strays = append(b.strays, b.revealed(e)...)
		case e.Type == "seat_taken" || e.Type == "epoch_begun" || e.Type.OfAwaitedDice() || e.Type.OfSeat() ||
			!events.Known(e.Type):
		default: // of no hearing, so nothing else would look at it
			b.strays = append(b.strays, envelopeFinding(e, "command", e.Command, "a command that is heard here"))
		}
	}
	return nil
}

// playedOn finds a command that is heard while another waits for an answer, or lacks what follows with its last one.
// Where an epoch began between, a record was restored that had been cut there.
func (b *trialRun) playedOn(c *campaign.Campaign, e *events.Event) []Finding {
	due, short := "", b.short
	switch b.short = nil; {
	case b.open != nil:
		due = fmt.Sprintf("what #%d asks for", b.open.Index)
	case short != nil && short.Epoch == e.Epoch && c.History.Stands(short.Index):
		due = fmt.Sprintf("what #%d leads to", short.Index)
	default:
		return nil
	}
	return []Finding{envelopeFinding(e, "command", e.Command, due+": nothing else is played before")}
}

// begin concludes what was heard and begins with what comes.
func (b *trialRun) begin(c *campaign.Campaign, e *events.Event, before rules.Game) error {
	dropped := b.dropped(c, e, before)
	if err := b.conclude(c); err != nil {
		return err
	}
	b.heard, b.before, b.strays = []events.Event{*e}, before, append(b.envelope(c, e), dropped...)
	b.answered = campaign.Referral{}
	b.elsewhere, b.pinned, b.ahead = b.judgedElsewhere(c, e), b.rules, nil
	return nil
}

// dropped finds that a ruling was made, and the command that waited for it is not heard again behind it, though the
// rules allow it then. Where another build judged, or the record was cut, that is not known.
func (b *trialRun) dropped(c *campaign.Campaign, e *events.Event, ruled rules.Game) []Finding {
	if len(b.heard) == 0 || b.heard[0].Type != "option_ruled" || b.answered.Option == "" || b.trial.Edition != "" ||
		b.heard[0].Index < b.trial.From {
		return nil
	}
	at, err := b.timeline.Event(b.answered.By)
	if err != nil || at.Command == e.Command || !c.GoesOn(at, b.known, ruled, e.Index) {
		return nil
	}
	by := &b.heard[0]
	if b.elsewhere == "" && by.Epoch == e.Epoch {
		return []Finding{envelopeFinding(e, "command", e.Command, fmt.Sprintf("%s, which waited for the ruling in #%d",
			at.Command, by.Index))}
	}
	b.unsure = cmp.Or(b.elsewhere, fmt.Sprintf("#%d: the record was cut behind it", by.Index))
	return nil
}

// asides are the types of event that begin a step of their own and end no hearing that waits. A hand begins with cards
// drawn, and a player may commit to one while a question is open.
var asides = []events.Type{"corrected", "consequence_kept", "voided", "rules_changed", "cards_drawn"}

// interrupted reports whether something came aside while a hearing waits for an answer.
func (b *trialRun) interrupted() bool {
	return len(b.heard) > 0 && slices.Contains(asides, b.heard[0].Type)
}

// resume takes up a hearing that was interrupted: it is heard again whole, and what comes from e on is held to it.
func (b *trialRun) resume(c *campaign.Campaign, e *events.Event) error {
	indexes, before := c.Heard.Events, c.Heard.Before
	if err := b.conclude(c); err != nil {
		return err
	}
	for _, index := range indexes {
		own, err := b.timeline.Event(index)
		if err != nil {
			return err
		}
		b.heard = append(b.heard, *own)
	}
	b.before, b.strays, b.answered, b.resumed = before, b.envelope(c, e), campaign.Referral{}, e.Index
	return nil
}

// conclude hears again what has been gathered.
func (b *trialRun) conclude(c *campaign.Campaign) error {
	if len(b.heard) == 0 {
		return nil
	}
	first := &b.heard[0]
	if b.step != nil && b.step.command != first.Command {
		if err := b.endStep(c); err != nil {
			return err
		}
	}
	if first.Index < b.trial.From {
		b.heard, b.resumed = nil, 0
		return nil
	}
	h := Heard{Command: first.Command, Verb: campaign.RequestIn(first).Verb, First: first.Index, Events: len(b.heard),
		Findings: slices.Concat(b.strays, b.ahead)}
	err := b.again(c, first, &h)
	if h.excuse(b.elsewhere, len(b.strays)); b.unsure != "" {
		h.Unchecked, h.Uncertain, b.unsure = b.unsure, []uint64{first.Index}, ""
	}
	for i := range b.heard {
		if b.heard[i].Index >= b.resumed {
			h.of = append(h.of, b.heard[i].Index)
		}
	}
	if b.resumed > 0 { // what came before was held to it when it was interrupted
		h.First, h.Events = b.resumed, len(h.of)
		h.Findings = slices.DeleteFunc(h.Findings, func(f Finding) bool { return f.Event < b.resumed })
	}
	b.heard, b.resumed = nil, 0
	var sealed *sealedError
	if errors.As(err, &sealed) {
		h.Unchecked, err = sealed.Error(), nil
	}
	if err != nil {
		return err
	}
	h.settleUncertain()
	if b.step != nil && b.step.command == h.Command {
		b.step.heard = append(b.step.heard, h)
		return nil
	}
	return b.each(h)
}

// settleUncertain settles which of its events a hearing leaves unchecked.
func (h *Heard) settleUncertain() {
	if h.Uncertain == nil && h.Unchecked != "" {
		h.Uncertain = h.of
	}
	h.Uncertain = slices.DeleteFunc(h.Uncertain, func(index uint64) bool { return !slices.Contains(h.of, index) })
	if len(h.Uncertain) == 0 {
		h.Unchecked = ""
	}
}

// again hears what has been gathered, by what it begins with.
func (b *trialRun) again(c *campaign.Campaign, first *events.Event, h *Heard) error {
	switch {
	case first.Index == 0:
		h.Findings = slices.Concat(h.Findings, b.ofNobody(), b.seatsAlone())
		return b.reopen(c, h)
	case first.Type == "corrected":
		return b.correctAgain(c, h)
	case first.Type == "consequence_kept":
		return b.keptAgain(c, h)
	case first.Type == "voided":
		h.Findings = append(h.Findings, b.ofNobody()...)
		return b.voidAgain(c, h)
	case first.Type == "edition_moved":
		return b.moveAgain(c, h)
	case first.Type == "rules_changed":
		b.pinnedAgain(h)
	case first.Request == "":
		h.Findings = append(h.Findings, envelopeFinding(first, "request", "nothing", "the command that led here"))
	case campaign.ReadsRequest(first.Request): // else that is said already
		return b.hearAgain(c, h)
	}
	return nil
}

// sealedError says what a reader would have to know to hear a command again.
type sealedError struct {
	event uint64
	what  string
}

func (e *sealedError) Error() string { return fmt.Sprintf("#%d: %s", e.event, e.what) }

// drawn repeats draws as far as the reader may know their links.
func (b *trialRun) drawn(c *campaign.Campaign) rehear.Drawn {
	return c.Drawn(func(epoch uint64, s events.Source) (link events.Hash, err error) {
		const sealed = "the link that decided the draw is sealed"
		switch {
		case b.trial.Secrets != nil:
			if link, err = c.Link(*b.trial.Secrets, epoch, s); !errors.Is(err, keys.ErrNoSecret) {
				return link, err
			}
			b.noLink = err.Error()
		case b.trial.Link == nil:
			b.noLink = sealed
		default:
			if link, err = b.trial.Link(epoch, s); err == nil {
				return link, nil
			}
			b.noLink = sealed + ": " + err.Error()
		}
		return link, rehear.ErrUnknown
	})
}
