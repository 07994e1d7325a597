package desk

import (
	"context"
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/cmd/watu/internal/narrator"
	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/replay/review"
	"github.com/watu-ledger/watu/replay/turnfile"
)

// Weighed is what a ruling on a dispute would change.
type Weighed struct {
	Ruling  string                   // as it would be recorded
	Says    string                   // in words
	Right   string                   // what would be corrected, as it was typed
	Events  uint64                   // that the campaign has
	Gone    []timeline.NarratedEvent // what would not stand any more
	Back    []timeline.NarratedEvent // what would stand again
	Results []string                 // of the entry that would be corrected
	Later   []string                 // what later entries would come to, which the umpire decides on then
}

// Nothing reports whether the ruling would leave everything as it is.
func (w Weighed) Nothing() bool { return len(w.Gone)+len(w.Back)+len(w.Results)+len(w.Later) == 0 }

// rule rules on a dispute. A ruling that changes something is recorded as it was shown: else what it would change is
// shown first.
func (d *Desk) rule(ctx context.Context, c timeline.Campaign, v timeline.Viewer, act string, form url.Values) (
	out Done, err error) {
	about, err := index(form.Get("dispute"))
	if err != nil {
		return out, err
	}
	x, err := d.openDispute(c, about)
	if err != nil {
		return out, err
	}
	found, err := d.service.Find(c.ID)
	if err != nil {
		return out, err
	}
	ruling, right := form.Get("ruling"), strings.TrimSpace(form.Get("right"))
	if x != nil && ruling == events.RulingCorrected && right == "" && form.Get(rightOf) == number(about) {
		if right, err = d.replacement(c, x.Claim.Event, form); err != nil {
			return out, err
		}
		right = strings.TrimSpace(right)
	}
	sameRuling := form.Get("seen") == ruling && strings.TrimSpace(form.Get("seen-right")) == right
	shown := sameRuling && form.Get("after") == number(found.Events)
	changes := ruling == events.RulingVoid || ruling == events.RulingCorrected
	if x == nil || v.As != timeline.Umpire || act == Rule && (shown || !changes) {
		form = maps.Clone(form)
		form.Set("right", right)
		out.Submitted, err = d.plead(ctx, c, v, Rule, form)
		return out, err
	}
	out.Weighed, err = d.weigh(found, v, x, ruling, right)
	if act != Rule || err != nil || form.Get(asShown) == "" {
		return out, err
	}
	if out.Moved = form.Get(asShown) != out.Weighed.Shown(); !out.Moved && sameRuling {
		form = maps.Clone(form)
		form.Set("right", right)
		out.Weighed = nil
		out.Submitted, err = d.plead(ctx, c, v, Rule, form)
	}
	return out, err
}

// rightOf is the field by which a form of a ruling says over which dispute's entry its fields are.
const rightOf = "right-of"

// righting opens the form of the entry that a ruling is to correct, filled with what stands or what was typed. An entry
// that has none leaves the text.
func (d *Desk) righting(p *Page) error {
	x := p.Pleaded()
	if !p.Umpire || x == nil || x.Claim.Refused != "" || p.Typed.Get("ruling") != events.RulingCorrected {
		return nil
	}
	verb, entry, err := d.recorded(p.Campaign, x.Claim.Event)
	if err != nil {
		return nil
	}
	typed := p.Typed
	if typed.Get(rightOf) != number(x.Index) {
		typed = url.Values{}
		putEntry(verb, entry, typed)
	}
	opened := Page{View: View{Say: p.Say}}
	typed.Set(formOf, verb.Key)
	err = d.openForm(p.Campaign, p.Viewer, &opened, typed)
	typed.Del(formOf)
	p.Right = opened.Form
	return err
}

// RulingWrong reports whether what went wrong is a ruling.
func (p Page) RulingWrong() bool {
	return p.Wrong != nil && (p.Typed.Get("do") == Weigh || p.Typed.Get("do") == Rule)
}

// openDispute is the dispute that an event opened, if it waits for its ruling; else nil.
func (d *Desk) openDispute(c timeline.Campaign, opened uint64) (*timeline.Dispute, error) {
	all, err := d.service.Disputes(c.ID, timeline.DisputeFilter{Open: true})
	i := slices.IndexFunc(all.Disputes, func(x timeline.Dispute) bool { return x.Index == opened })
	if err != nil || i < 0 {
		return nil, err
	}
	return &all.Disputes[i], nil
}

// weigh says what a ruling would change.
func (d *Desk) weigh(c ledger.Campaign, v timeline.Viewer, x *timeline.Dispute, ruling, right string) (
	*Weighed, error) {
	out := &Weighed{Ruling: ruling, Says: narrator.Ruling(ruling, "", ""), Right: right, Events: c.Events}
	switch {
	case ruling == events.RulingCorrected:
		if err := d.weighCorrection(c, v, x, out); err != nil {
			return nil, err
		}
		return out, nil
	case ruling != events.RulingVoid || x.Claim.Refused != "":
		return out, nil
	}
	plan, err := d.service.Umpire().ProposeVoid(c.ID, x.Claim.Event, x.Index)
	if err == nil && len(plan.Violations) > 0 {
		err = problem.OfViolations("", plan.Violations)
	}
	if err != nil {
		return nil, err
	}
	if out.Gone, err = d.narrated(c, plan.Gone); err != nil {
		return nil, err
	}
	if out.Back, err = d.narrated(c, plan.Back); err != nil {
		return nil, err
	}
	for _, later := range plan.Consequences {
		if later.Waits == "" && service.DerivationsAlone(later.Figures) {
			continue
		}
		for _, r := range later.Results {
			out.Later = append(out.Later, shift(r))
		}
		if why := strings.TrimPrefix(later.Waits, review.ErrNotCorrectable.Error()+": "); len(later.Results) == 0 {
			out.Later = append(out.Later, "entry "+later.Command+": "+why+later.Gone)
		}
	}
	return out, nil
}

// weighCorrection says what a correction would change that a ruling orders.
func (d *Desk) weighCorrection(c ledger.Campaign, v timeline.Viewer, x *timeline.Dispute, out *Weighed) error {
	if out.Right == "" {
		return problem.New(problem.Input, "say what is right, under the choice of the ruling: change what the entry "+
			"has wrong, or write the fields as they should be, as in replace: {…}")
	}
	keys, err := turnfile.Mapping("what is right", []byte(out.Right))
	if err != nil {
		return err
	}
	for key, value := range map[string]any{"code": review.CodeDispute, "reason": "the ruling's", "dispute": x.Index} {
		if keys[key], err = json.Marshal(value); err != nil {
			return err
		}
	}
	text, err := json.Marshal(keys)
	if err != nil {
		return err
	}
	plan, err := d.service.Correct(c.ID.String(), v, service.CorrectionRequest{Event: x.Claim.Event, Preview: true,
		Name: "what is right", Text: string(text)})
	for _, r := range plan.Results {
		out.Results = append(out.Results, r.Text)
	}
	for _, later := range plan.Offered() {
		for _, r := range later.Results {
			out.Later = append(out.Later, r.Text)
		}
	}
	return err
}

// narrated tells events, by their indexes in order.
func (d *Desk) narrated(c ledger.Campaign, list []uint64) ([]timeline.NarratedEvent, error) {
	if len(list) == 0 {
		return nil, nil
	}
	return d.service.NarrateWanted(c, list[0], list[len(list)-1]+1, func(index uint64) bool {
		_, wanted := slices.BinarySearch(list, index)
		return wanted
	})
}

// shift tells an event before and after.
func shift(r review.Result) string {
	switch {
	case r.Is == nil:
		return "would not happen: " + narrator.Sentence(r.Was)
	case r.Was == nil:
		return "new: " + narrator.Sentence(r.Is)
	}
	return narrator.Between(narrator.Sentence(r.Was), narrator.Sentence(r.Is))
}
