package desk

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/turnfile"
	"github.com/watu-ledger/watu/rules"
)

// despite is the button that enters a text in spite of its warnings. Its value is [Warned] of what was shown. Where the
// entry of a form was meant as it stood there, the form says so again, by whole.
const despite, whole = "despite", "whole"

// Warned names a text and what it is warned of, so that another text, or another warning, is another name; empty for a
// text without warnings.
func (d Done) Warned() string {
	all := sha256.New()
	warned := false
	for _, e := range d.Entries {
		for _, text := range e.Warnings {
			if e.State != service.Fits {
				continue // it is recorded
			}
			warned = true
			fmt.Fprintf(all, "%d %q\n", e.Line, text)
		}
	}
	if !warned || !d.Check {
		return ""
	}
	fmt.Fprint(all, d.judged)
	return hex.EncodeToString(all.Sum(nil)[:12])
}

// text checks the text at hand, and enters it if the form asks for that. What is warned of is shown first, and entered
// when the form says that exactly this was shown. What stands behind dice is checked when those lie: so it is entered
// as far as the first entry that chance or an answer decides, and the rest is looked at again.
func (d *Desk) text(ctx context.Context, c timeline.Campaign, v timeline.Viewer, act string, form url.Values) (
	out Done, err error) {
	text := form.Get("text")
	s := service.Submission{Name: textName, Text: text, Entry: strings.HasPrefix(strings.TrimSpace(text), "{")}
	out.judged = text
	recorded := map[string]service.EntryResult{}
	submit := func(check bool) {
		s.Check = check
		out.Submitted, err = d.service.Submit(ctx, c.ID, v, s)
		for i, e := range out.Entries {
			if was, ok := recorded[e.ID]; ok {
				out.Entries[i] = was
			} else if !check && !e.Before() && e.State != service.Stopped {
				recorded[e.ID] = e
			}
		}
	}
	for rounds := 1; ; rounds++ {
		s.Most = 0
		submit(true)
		if warned := out.Warned(); act == Check || err != nil || warned != "" && warned != form.Get(despite) {
			return out, err
		}
		if s.Turn = out.Turn; out.FormOnly != "" {
			s.Most = rules.Count(out.Entries, func(e service.EntryResult) bool { return e.State == service.Fits })
		}
		submit(false)
		if s.Most == 0 || err != nil || out.Problem != nil || rounds > len(out.Entries)+len(out.NotHeard) {
			return out, err // each round enters one entry or more
		}
	}
}

// Begun reports whether something of a text is recorded whose rest is asked about.
func (d Done) Begun() bool {
	return d.Check && slices.ContainsFunc(d.Entries, func(e service.EntryResult) bool { return len(e.Happened) > 0 })
}

// Mend is where an entry that is recorded is taken back, or corrected where it cannot be; "" for one that is not.
func (p Page) Mend(e service.EntryResult) string {
	n := len(e.Happened)
	switch {
	case n == 0:
		return ""
	case slices.ContainsFunc(p.Slips, func(x service.UndoableAct) bool { return x.Command == e.ID }):
		return "#slips"
	}
	return withQuery(p.Here(), "correct", number(e.Happened[n-1].Index)) + "#correct"
}

// enter checks or enters the text at hand with the entry of the form that is open. What did not go through stays where
// it was typed: the entry of the form there, and of the text what was not recorded. AsItStands says that the
// form's own button was pressed.
func (d *Desk) enter(ctx context.Context, c timeline.Campaign, v timeline.Viewer, form url.Values, asItStands bool) (
	done Done, err error) {
	typed := form.Get("text")
	folded, err := d.fold(c, v, form, asItStands || strings.TrimSpace(typed) == "")
	if err != nil {
		return done, err
	}
	done, err = d.Do(ctx, c, v, form)
	form.Set("text", typed)
	if err != nil || done.Problem == nil || done.Check {
		return done, err
	}
	if folded && form.Get(formOf) == "turn" && len(done.Entries) > 1 { // it stands at the head of the text
		form.Del(formOf)
		form.Set("text", done.judged)
	}
	n := len(done.Entries)
	if n == 0 {
		return done, nil
	}
	verbs := campaign.Verbs(d.service.System(c.System))
	form.Set("text", turnfile.Rest(form.Get("text"), done.Entries[n-1].Line, verbs))
	if folded && len(done.NotHeard) == 0 {
		err = d.overtaken(c, &done, done.Entries[n-1].ID)
	}
	return done, err
}

// overtaken says of the entry of a form that did not go through whether another got its id since the form was drawn.
func (d *Desk) overtaken(c timeline.Campaign, done *Done, id string) error {
	found, err := d.service.Find(c.ID)
	if err != nil {
		return err
	}
	_, there, err := d.service.Ledger().Command(found.ID, id)
	if there && err == nil {
		done.Problem = problem.New(problem.Refused, "another entry of this kind was recorded since the form was "+
			"drawn, and this one was not: look at what happened, and enter it again if it is one more")
	}
	return err
}

// fold puts the entry of the form that is open into the text that is sent with it, where something was typed there, or
// the whole form is meant as it stands. It reports whether it did. The entry gets the id that was free when the form
// was drawn: a form that is sent twice finds what stands.
func (d *Desk) fold(c timeline.Campaign, v timeline.Viewer, form url.Values, asItStands bool) (bool, error) {
	if form.Get(formOf) == "" {
		return false, nil
	}
	var p Page
	if err := d.openForm(c, v, &p, form); err != nil || !asItStands && !p.Form.Begun {
		return false, err
	}
	text, err := d.addEntry(c, v, form, form.Get("after"))
	if err == nil {
		form.Set("text", text)
	}
	return err == nil, err
}

// shownLine is where a line of the text that was judged stands in the one that is shown; 0 where it is gone. What was
// recorded is gone from the top, and the entry of a form stands at the end or at the top.
func shownLine(line int, judged, shown []string) int {
	at := len(shown)
	for i, text := range slices.Backward(judged) {
		if at == 0 {
			break
		}
		same := shown[at-1] == text
		if i+1 == line {
			if same {
				return at
			}
			break
		}
		if same {
			at--
		}
	}
	return 0
}
