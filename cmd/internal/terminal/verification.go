package terminal

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/projections/document"
	"github.com/watu-ledger/watu/replay/bundle"
	"github.com/watu-ledger/watu/replay/verify"
)

// givers are who gave a seat its key.
var givers = map[string]string{"invitation": "the umpire's invitation", "earlier key": "its earlier key",
	"umpire": "the umpire"}

// mostFindings is how many findings a page lists.
const mostFindings = 20

// Verification prints what came of verifying a record, with each of its rolls where they are asked for.
func (p *Page) Verification(v verify.Verification, rolls bool) {
	about := fmt.Sprintf("(%s), %s edition %s, %s, for %s", v.ID, v.System, v.Edition, words.Count(v.Events, "event"),
		Reader(v.For))
	p.Flow("", "", Bold(v.Campaign), Plain(about))
	if part := v.Part; part != nil && part.Dispute != 0 {
		p.Text("in question: dispute #%d, events #%d to #%d", part.Dispute, part.From, part.To)
	} else if part != nil {
		p.Text("in question: events #%d to #%d", part.From, part.To)
	}
	p.Flow("", "", Faint("head "+v.Head.String()))
	if name, _, ok := strings.Cut(v.SignedBy, "+"); ok {
		p.Flow("", "", Faint(fmt.Sprintf("signed by %s, whose key has the fingerprint %s", name, v.Fingerprint)))
	}
	for _, c := range v.Cosigners {
		at := time.Unix(c.Time, 0).UTC().Format(time.RFC3339)
		p.Flow("", "", Faint(fmt.Sprintf("cosigned by %s, %s by its own clock; its key has the fingerprint %s",
			c.Name, at, c.Fingerprint)))
	}
	for _, w := range v.Witnesses {
		key := map[bool]string{true: "earlier key", false: "key"}[w.Earlier]
		p.Flow("", "", Faint(fmt.Sprintf("witness %s, whose %s has the fingerprint %s", w.Name, key, w.Fingerprint)))
	}
	for _, k := range v.Keys {
		p.Flow("", "", Faint(fmt.Sprintf("seat %s, key %s since #%d, by %s", k.Seat, k.Fingerprint, k.Event,
			givers[k.By])))
	}
	p.Line("")
	table := document.Plain{Columns: []string{"Checked", "Number", "Wrong"}}
	for _, c := range v.Checks {
		wrong := ""
		if c.Wrong > 0 {
			wrong = fmt.Sprint(c.Wrong)
		}
		table.Rows = append(table.Rows, []string{c.What, fmt.Sprint(c.Count), wrong})
	}
	p.Block("", table.String())
	p.findings(v.Findings)
	p.unchecked(v.Unchecked)
	p.choosers(v.Rolls, rolls)
	p.Line("")
	p.Flow("", "", Bold(v.Verdict()))
}

// Reader is who reads a file, in a sentence.
func Reader(reader string) string {
	if reader == "public" || reader == "umpire" {
		return "the " + reader
	}
	return reader
}

func (p *Page) findings(list []bundle.Finding) {
	if len(list) == 0 {
		return
	}
	p.Heading("Wrong")
	for i, x := range list {
		if i == mostFindings {
			p.Flow("  ", "    ", Plain(fmt.Sprintf("and %d more (--json tells all)", len(list)-i)))
			return
		}
		runs := []Run{Plain(verify.FindingText(x))}
		if x.Rule != "" {
			runs = append(runs, Faint("["+x.Rule+"]"))
		}
		p.Flow("  ", "    ", runs...)
	}
}

func (p *Page) unchecked(list []bundle.Unchecked) {
	if len(list) > 0 {
		p.Heading("Not checked")
	}
	var stated []string
	for _, u := range list {
		if u.Stated {
			stated = append(stated, u.What)
			continue
		}
		why := u.Why
		if u.Lack {
			why += ": " + eventNames(u.Events)
		}
		p.Flow("  ", "    ", Plain(fmt.Sprintf("%s (%d):", u.What, u.Count)), Plain(why))
	}
	if len(stated) > 0 {
		p.Flow("  ", "    ", Plain("what is stated, and nothing in a record proves:"),
			Plain(strings.Join(stated, "; ")+" (--json says why)"))
	}
}

// choosers says who could have chosen the dice of the rolls: of each, or of all that the same people could.
func (p *Page) choosers(rolls []bundle.Choice, each bool) {
	if len(rolls) == 0 {
		return
	}
	if !each {
		p.Heading("Who could have chosen the dice (--rolls lists each roll)")
		p.chosen(rolls)
		return
	}
	p.Heading("Who could have chosen the dice")
	for _, r := range rolls {
		name := fmt.Sprintf("#%d", r.Event)
		if r.Void {
			name += " (void)"
		}
		p.Flow("  ", "    ", Plain(name), Bold(string(r.Who)+":"), Plain(r.Why))
	}
}

// chosen lists who could have chosen, and why; where it is not for one reason, which rolls.
func (p *Page) chosen(rolls []bundle.Choice) {
	for len(rolls) > 0 {
		first := rolls[0]
		var same []uint64
		var others []bundle.Choice
		why := first.Why
		for _, r := range rolls {
			if r.Who != first.Who {
				others = append(others, r)
				continue
			}
			if same = append(same, r.Event); r.Why != first.Why {
				why = ""
			}
		}
		if why == "" {
			why = eventNames(same)
		}
		p.Flow("  ", "    ", Bold(string(first.Who)), Plain(fmt.Sprintf("(%d): %s", len(same), why)))
		rolls = others
	}
}

// mostEventNames is how many runs of events a page names.
const mostEventNames = 60

// eventNames names events by their numbers, those that follow one another as one: "#22, #34 to #37".
func eventNames(list []uint64) string {
	names := words.Events(slices.Compact(slices.Sorted(slices.Values(list))), " to ")
	if n := len(names) - mostEventNames; n > 0 {
		names = append(names[:mostEventNames], fmt.Sprintf("and %d more (--json names all)", n))
	}
	return strings.Join(names, ", ")
}
