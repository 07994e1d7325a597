package report

import (
	"fmt"
	"slices"

	"github.com/watu-ledger/watu/cmd/watu/internal/narrator"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/history"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/projections/document"
	"github.com/watu-ledger/watu/replay/campaign"
)

// Dispute is a disputed event or refusal from the claim to the ruling.
type Dispute struct {
	Event      uint64      `json:"event"` // its opening, by which it goes
	By         string      `json:"by"`    // the seat
	Claim      string      `json:"claim"`
	Rule       string      `json:"rule,omitempty"` // that the claim rests on
	Voided     uint64      `json:"voided,omitempty"`
	About      []Line      `json:"about"` // what is contested
	Statements []Statement `json:"said"`  // statements and evidence, in their order
	Ruling     *Ruling     `json:"ruling,omitempty"`
	Led        []Line      `json:"led"` // what the ruling did to the record
}

// Statement is a statement, or evidence brought, of a seat.
type Statement struct {
	Event uint64 `json:"event"`
	By    string `json:"by"`
	Text  string `json:"text,omitempty"`
	Shown []Line `json:"shown,omitempty"` // evidence
}

// Ruling is how a dispute ended.
type Ruling struct {
	Event  uint64   `json:"event"`
	Turn   string   `json:"turn"`
	Ruling string   `json:"ruling"` // "upheld", "corrected", "void" or "precedent"
	Scope  string   `json:"scope"`
	Dice   string   `json:"dice,omitempty"`
	Rules  []string `json:"rules,omitempty"`
	Reason string   `json:"reason"`

	settled uint64 // the correction that came before a ruling which lets stand what it made of the event; 0 for none
}

// disputes lists those that were opened or ruled on in the turns of the report, or that are about them.
func (t *builder) disputes() []Dispute {
	list := []Dispute{}
	for i := range t.Events {
		e := &t.Events[i]
		var p events.DisputeOpened
		if !e.Read(&p) {
			continue
		}
		here := t.covers(e.Turn.Ordinal) || t.covers(t.at(p.Event, e).Turn.Ordinal)
		if r := t.ruled[e.Index]; here || r != nil && t.covers(r.Turn.Ordinal) {
			list = append(list, t.dispute(e, &p))
		}
	}
	return list
}

func (t *builder) dispute(e *events.Event, p *events.DisputeOpened) Dispute {
	out := Dispute{Event: e.Index, By: e.Seat, Claim: p.Claim, Rule: p.Rule, About: []Line{}, Statements: []Statement{},
		Led: []Line{}}
	out.Voided, _ = t.history.VoidedBy(e.Index)
	if p.Refused != "" {
		out.About = append(out.About, t.refusal(e, p))
	} else {
		out.About = append(out.About, t.shownAt(p.Event)...)
	}
	for _, m := range t.members(e.Index) {
		switch q, _ := events.PayloadOf(m); q := q.(type) {
		case *events.StatementMade:
			out.Statements = append(out.Statements, Statement{Event: m.Index, By: m.Seat, Text: q.Text})
		case *events.EvidenceBrought:
			s := Statement{Event: m.Index, By: m.Seat, Text: q.Note}
			for _, index := range q.Events {
				s.Shown = append(s.Shown, t.shownAt(index)...)
			}
			out.Statements = append(out.Statements, s)
		case *events.Corrected:
			out.Led = append(out.Led, t.correction(m))
		case *events.Voided:
			line := t.line(m)
			line.Under = t.gone(m)
			out.Led = append(out.Led, line)
		case *events.DisputeRuled:
		default:
			out.Led = append(out.Led, t.line(m))
		}
	}
	out.Ruling = t.ruling(e.Index)
	return out
}

// ruling is how a dispute was ruled; nil while it is open.
func (t *builder) ruling(dispute uint64) *Ruling {
	r := t.ruled[dispute]
	if r == nil {
		return nil
	}
	d := campaign.Dispute{Ruling: &campaign.Ruling{Event: r.Index}}
	var q events.DisputeRuled
	if !r.Read(&q) || !t.at(dispute, r).Read(&d.Claim) {
		return nil
	}
	d.Ruling.Ruling = q.Ruling
	return &Ruling{Event: r.Index, Turn: r.Turn.Label, Ruling: q.Ruling, Scope: q.Scope, Dice: q.Dice, Rules: q.Rules,
		Reason: q.Reason, settled: d.SettledBy(t.history)}
}

// refusal describes a command that was refused, and why it was.
func (t *builder) refusal(e *events.Event, p *events.DisputeOpened) Line {
	out := Line{Text: plain("The refusal of %s (%s).", p.Refused, p.Verb), Events: []uint64{e.Index}}
	ref := events.Ref{Index: e.Index, Slot: events.SlotViolations}
	var mark document.Mark
	if fact, shown := t.shown(ref); shown {
		p.Unseal(ref.Slot, fact.fact)
	} else if fact, held := t.held[ref]; held {
		p.Unseal(ref.Slot, fact)
		mark = document.Sealed
	}
	out.Text = append(out.Text, t.secrets(e)...)
	for _, v := range p.Violations {
		out.Under = append(out.Under, Line{Text: document.Text{{Text: v.Step, Mark: mark}}, Rules: []string{v.Rule}})
	}
	return out
}

// shownAt describes the event at an index, as it came and as it stands.
func (t *builder) shownAt(index uint64) []Line {
	if index >= uint64(len(t.Events)) {
		return nil
	}
	e := &t.Events[index]
	if of, later := t.origin[index]; later {
		e = &t.Events[of]
	}
	return []Line{t.line(e)}
}

// person is a seat that begins a sentence.
func person(seat string) string {
	switch seat {
	case "":
		return "Somebody"
	case "umpire":
		return "The umpire"
	}
	return words.Sentence(seat)
}

// rulings describes the questions put to the umpire and what he ruled, and the editions moved to.
func (t *builder) rulings() []Line {
	list := []Line{}
	for i := range t.Events {
		e := &t.Events[i]
		if !t.covers(e.Turn.Ordinal) || t.later(e) {
			continue
		}
		switch p, _ := events.PayloadOf(e); p := p.(type) {
		case *events.OptionRuled:
			line := t.line(e)
			if p.Referred != 0 && p.Referred < e.Index {
				line.Under = append(line.Under, t.question(&t.Events[p.Referred])...)
			}
			list = append(list, line)
		case *events.EditionMoved:
			list = append(list, t.line(e))
		case *events.Referred:
			if !t.answered(e) {
				line := t.line(e)
				line.Remark = words.Join("; ", line.Remark, "open")
				line.Under = t.question(e)[1:]
				list = append(list, line)
			}
		}
	}
	return list
}

// question says what was asked, and the readings that there are.
func (t *builder) question(e *events.Event) []Line {
	var p events.Referred
	e.Read(&p)
	list := []Line{{Text: plain("Asked: %s", p.Question), Events: []uint64{e.Index}}}
	for _, r := range p.Readings {
		list = append(list, Line{Text: plain("%s", r)})
	}
	return list
}

func (t *builder) answered(e *events.Event) bool {
	return slices.ContainsFunc(t.Events, func(x events.Event) bool {
		var p events.OptionRuled
		return x.Read(&p) && p.Referred == e.Index
	})
}

// corrections lists what was corrected or voided in the turns of the report, or of them, and what it changed,
// but for what came of a dispute, which stands there.
func (t *builder) corrections() []Line {
	list := []Line{}
	for i := range t.Events {
		e := &t.Events[i]
		switch p, _ := events.PayloadOf(e); p := p.(type) {
		case *events.Corrected:
			if p.Dispute == 0 && (t.covers(e.Turn.Ordinal) || t.covers(t.at(p.Event, e).Turn.Ordinal)) {
				list = append(list, t.correction(e))
			}
		case *events.Voided:
			if p.Dispute == 0 && t.covers(e.Turn.Ordinal) {
				line := t.line(e)
				line.Under = t.gone(e)
				list = append(list, line)
			}
		}
	}
	return list
}

// Pending is an event that would be another by a correction, and stands as it is recorded.
type Pending struct {
	Event, Cause uint64
	Was, Is      string // sentences; Is is empty for one that would not happen, or if that is not known
	Remark       string // why it stands: kept, or what it waits for
}

// pending says what corrections left as it is recorded, of the turns of the report.
func (t *builder) pending() []Line {
	list := []Line{}
	for _, x := range t.Pending {
		if x.Event >= uint64(len(t.Events)) || !t.covers(t.Events[x.Event].Turn.Ordinal) {
			continue
		}
		line := Line{Text: changed(x.Was, x.Is), Events: []uint64{x.Event, x.Cause}, Remark: x.Remark}
		if x.Is == "" {
			line.Text = document.Text{{Text: x.Was, Mark: document.Was}}
		}
		list = append(list, line)
	}
	return list
}

// unchecked counts the entries, of the turns of the report, of which the reader cannot know whether they are pending.
func (t *builder) unchecked() (n int) {
	for _, event := range t.Unchecked {
		if event < uint64(len(t.Events)) && t.covers(t.Events[event].Turn.Ordinal) {
			n++
		}
	}
	return n
}

// gone says what an event took out of the campaign, but for headings and what keeps the books.
func (t *builder) gone(e *events.Event) []Line {
	var list []Line
	for _, index := range t.history.Targets(history.Voids, e.Index) {
		if o := t.at(index, e); o != e && !administrative[o.Type] && !headed[o.Type] {
			list = append(list, t.line(o))
		}
	}
	return list
}

// correction describes a correction of a command, and under it each original beside what stands.
func (t *builder) correction(e *events.Event) Line {
	out := t.line(e)
	out.Under = t.gone(e)
	for i := e.Index + 1; i < uint64(len(t.Events)); i++ {
		x := &t.Events[i]
		// the next of the same step follows from this one, and stands by itself
		if x.Command != e.Command || x.Type == e.Type {
			break
		}
		if _, alone := t.moved[x.Index]; alone {
			out.Under = append(out.Under, t.line(x))
		}
		if x.Corrects == 0 || x.Corrects >= x.Index {
			continue
		}
		o := &t.Events[x.Corrects]
		out.Under = append(out.Under, Line{
			Text: changed(narrated(o), narrated(x)), Events: []uint64{o.Index, x.Index},
			Rules: narrator.Rules(x.Derivation),
		})
	}
	return out
}

// says is what the ruling says of what was contested: that a correction settled it, or what becomes of it.
func (r *Ruling) says(scope string) string {
	if r.settled != 0 {
		return fmt.Sprintf("settled by correction #%d", r.settled)
	}
	return narrator.Ruling(r.Ruling, scope, "")
}

// text is "Ruled in Round 4: what was contested is struck out. The dice are thrown again."
func (r *Ruling) text() string {
	line := "Ruled"
	if r.Turn != "" {
		line += " in " + r.Turn
	}
	line += ": " + r.says(r.Scope) + "."
	switch r.Dice {
	case "":
	case "stand":
		line += " The dice stand."
	case "replaced":
		line += " The dice are replaced by those of a table."
	default:
		line += " The dice are " + r.Dice + "."
	}
	return line
}
