package desk

import (
	"cmp"
	"context"
	"embed"
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/cmd/watu/internal/readers"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/cmd/watu/internal/story"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
)

// Templates are the forms: "desk" of a page whose Body is a [Page], "move" of a [MoveForm]. They call what package
// dashboard gives its templates.
//
//go:embed templates/*.html
var Templates embed.FS

// Page is what the page of the desk shows.
type Page struct {
	View
	As    string // as whom the reader asked to look
	About string // the dispute that the forms of disputes begin with, or Event, the event
	Event string
	Done  *Done            // what became of the form that was sent
	Wrong *problem.Problem // why it came to nothing
	Typed url.Values       // what was sent and did not go through, so that nobody types it twice
	Busy  bool             // others were before it: to be sent again
	Link  string           // that was made
	Form  *EntryForm       // of an entry, that is open
	Amend *Amend           // the form of an entry that is to be corrected
	Right *EntryForm       // of the entry that a ruling is to correct
	Taken *Taken           // that was taken back just now
	Over  *Contested       // the event that is to be disputed
	Bears *Contested       // what the dispute is over that somebody speaks on
	Next  string           // the verb of the entry that was added: the next may be another

	Meanwhile []OtherAct // what others entered since the form that was sent was drawn
}

// MoveForm is a question with the form that answers it.
type MoveForm struct {
	*Move
	Campaign, As string
	Reason       string   // that was typed and did not go through
	Seat         string   // in whose name
	picked       []string // and what was chosen
	fell         []string // and how dice fell
}

// Fell is what was typed of the dice of a throw.
func (m MoveForm) Fell(throw int) string {
	if throw < len(m.fell) {
		return m.fell[throw]
	}
	return ""
}

// Picked reports whether something was chosen in the place of a list, counted from 1.
func (m MoveForm) Picked(place int, value string) bool {
	return place <= len(m.picked) && m.picked[place-1] == value
}

// Form puts a question on a page of a campaign, looked at as somebody; nil where nothing is asked.
func (m *Move) Form(campaign, as string) *MoveForm {
	if m == nil {
		return nil
	}
	return &MoveForm{Move: m, Campaign: campaign, As: as}
}

// Desk is where the form goes.
func (m MoveForm) Desk() string { return at(m.Campaign, m.As, "desk") }

// Pools is where the cards of whoever answers are shown, with those that were played.
func (m MoveForm) Pools() string { return at(m.Campaign, m.As) + "#pools" }

// Local reports whether the link that was made opens on this machine alone.
func (p Page) Local() bool {
	u, err := url.Parse(p.Link)
	if err != nil {
		return false
	}
	address, err := netip.ParseAddr(u.Hostname())
	return u.Hostname() == "localhost" || err == nil && address.IsLoopback()
}

// Sides are those of the link that was made.
func (p Page) Sides() string {
	var list []string
	for _, side := range p.Done.Invited.Sides {
		list = append(list, p.Say.Name(side))
	}
	return strings.Join(list, ", ")
}

// NotHeard are the entries behind the one that went wrong.
func (p Page) NotHeard() string { return strings.Join(p.Done.NotHeard, ", ") }

// Given reports whether the umpire has just been asked for something.
func (p Page) Given() bool { return p.Typed.Get("do") == Ask && p.Wrong == nil }

// Asked is the question with its form, and with what was answered to it that did not go through; nil where nothing is
// asked.
func (p Page) Asked() *MoveForm {
	m := p.Move.Form(p.Campaign.Name, p.As)
	if m != nil && p.Typed.Get("do") == Answer && p.Typed.Get("asked") == number(m.Move.Asked) {
		m.Reason, m.picked = p.Typed.Get("reason"), p.Typed["choice"]
		m.Seat, m.fell = p.Typed.Get("by"), p.Typed["dice"]
	}
	return m
}

// Why is the reason that was typed to take an event back.
func (p Page) Why(event uint64) string {
	if p.Typed.Get("do") == TakeBack && strings.TrimPrefix(p.Typed.Get("event"), "#") == strconv.FormatUint(event, 10) {
		return p.Typed.Get("reason")
	}
	return ""
}

// Title is what the tab of the page is called: of the umpire's, behind how much waits for him.
func (p Page) Title() string {
	title := p.Say.Says("desk")
	if p.Move != nil && p.Move.Yours() {
		title = p.Say.Says("your-move")
	}
	if n := p.waits(); n > 0 {
		title = fmt.Sprintf("(%d) %s", n, title)
	}
	return title
}

// Live is the stream that the page follows. One that shows an answer that did not go through follows none: the question
// as it is drawn anew has nothing typed into it. Nor does one whose text begins the first turn: without the text the
// forms of the turn are not due.
func (p Page) Live() string {
	if p.Typed.Get("do") == Answer || p.Campaign.Turn == "" && p.begins() {
		return ""
	}
	return at(p.Campaign.Name, "", "live")
}

// Here is where the forms of the page go.
func (p Page) Here() string { return at(p.Campaign.Name, p.As, "desk") }

// Corrects reports whether a correction was sent.
func (p Page) Corrects() bool {
	return p.Done != nil && (p.Typed.Get("do") == Preview || p.Typed.Get("do") == Correct)
}

// Said is the text that came with an act that went wrong; of another act it is nobody's.
func (p Page) Said(acts ...string) string {
	if slices.Contains(acts, p.Typed.Get("do")) {
		return p.Typed.Get("text")
	}
	return ""
}

// Refused reports whether something that was to be done came to nothing. What is only checked comes to its findings.
func (p Page) Refused() bool { return p.Wrong != nil && p.Typed.Get("do") != Check }

// Text is the turn file at hand.
func (p Page) Text() string {
	if composes(p.Typed) || p.Typed.Get(takeRequest) != "" || p.Typed.Get(dropRequest) != "" {
		return p.Typed.Get("text")
	}
	return p.Said(Check, Enter, Ask)
}

// begins reports whether the text at hand begins a turn.
func (p Page) begins() bool { return strings.HasPrefix(p.Text(), "turn:") }

// Chosen reports whether it is clear which dispute is meant: the one that is named, or the only one.
func (p Page) Chosen() bool {
	return p.About == "" && len(p.Disputes) == 1 || p.AboutOpen()
}

// AboutOpen reports whether the dispute that is named is open.
func (p Page) AboutOpen() bool {
	return slices.ContainsFunc(p.Disputes, func(x timeline.Dispute) bool {
		return strconv.FormatUint(x.Index, 10) == p.About
	})
}

// Previewed is what the correction would change that was sent; nil for none.
func (p Page) Previewed() *service.Corrected {
	if p.Corrects() && p.Wrong == nil {
		return p.Done.Corrected
	}
	return nil
}

// at is a path of a campaign, for whoever looks as somebody.
func at(campaign, as string, parts ...string) string {
	path := "/campaigns/" + url.PathEscape(campaign)
	for _, x := range parts {
		path += "/" + url.PathEscape(x)
	}
	if as != "" {
		path += "?" + url.Values{"as": {as}}.Encode()
	}
	return path
}

// InLanguage is a path of a campaign in the language that its reader asked for.
func InLanguage(path, tag string) string {
	if tag == "" {
		return path
	}
	return withQuery(path, "lang", tag)
}

// withQuery is a path with one parameter more.
func withQuery(path, key, value string) string {
	u, err := url.Parse(path)
	if err != nil {
		return path
	}
	q := u.Query()
	q.Set(key, value)
	u.RawQuery = q.Encode()
	return u.String()
}

// Act has a form's act done. What went through leads to where it is seen; of the rest the page says why not, with all
// that was typed. site is the address of the server, for links.
func (d *Desk) Act(ctx context.Context, c timeline.Campaign, v timeline.Viewer, say story.Lines, as, site string,
	form url.Values) (p Page, leads string) {
	p = Page{View: View{Say: say}, As: as, Typed: form}
	p.About = strings.TrimPrefix(strings.TrimSpace(form.Get("dispute")), "#")
	switch form.Get("do") {
	case TakeBack, Apply, Keep:
	default:
		p.Event = form.Get("event")
	}
	var done Done
	err := asTyped(form)
	if err == nil {
		err = d.meanwhile(c, v, &p, form)
	}
	switch {
	case err == nil && form.Get(amends) != "":
		done, err = d.amend(ctx, c, v, &p, form)
	case err == nil && form.Get(rightOf) != "" && form.Get(moreRows) != "": // one row more, of what is to be corrected
	case err == nil && form.Get("do") == Ask:
		if err = d.request(c, v, form); err != nil {
			err = cmp.Or(d.openForm(c, v, &p, form), err)
		}
	case err == nil && (form.Get(takeRequest) != "" || form.Get(dropRequest) != ""):
		err = cmp.Or(d.seen(c, v, form), d.openForm(c, v, &p, form))
	case err == nil && composes(form):
		err = d.compose(ctx, c, v, &p, form)
	case err == nil:
		asItStands := form.Get("do") == EnterForm || form.Get(despite) != "" && form.Get(whole) != ""
		form.Del(whole)
		if asItStands {
			form.Set(whole, "form")
		}
		if asItStands || form.Get(despite) != "" {
			form.Set("do", Enter)
		}
		if act := form.Get("do"); act == Check || act == Enter {
			done, err = d.enter(ctx, c, v, form, asItStands)
		} else {
			done, err = d.Do(ctx, c, v, form)
		}
		if !done.Stands() {
			err = cmp.Or(err, d.openForm(c, v, &p, form))
		}
	}
	p.Done = &done
	switch {
	case errors.Is(err, readers.ErrBusy):
		p.Busy, p.Wrong = true, problem.New(problem.Unreachable, "too many ask for something at the moment. What you "+
			"typed stands here still: send it again in a few seconds")
	case err != nil:
		p.Wrong = d.service.PublicProblem(err)
	case done.Problem != nil:
		p.Wrong = done.Problem
	case done.Invited != nil:
		p.Link = done.Invited.Link(site)
	case done.Stands() && form.Get("do") != Enter:
		return p, done.leads(c.Name, as, form)
	case done.Stands():
		p.Typed = nil
	}
	return p, ""
}

// asTyped makes of a form's fields what was typed: browsers end lines in a way of their own, which no terminal does.
// What no terminal takes either is refused.
func asTyped(form url.Values) error {
	lines := strings.NewReplacer("\r\n", "\n", "\r", "\n")
	control := func(r rune) bool {
		return unicode.IsControl(r) && r != '\n' && r != '\t' || unicode.Is(unicode.Bidi_Control, r)
	}
	for name, list := range form {
		for i, text := range list {
			if list[i] = lines.Replace(text); !utf8.ValidString(text) || strings.ContainsFunc(list[i], control) {
				return problem.New(problem.Input, "the field %q holds characters that are no text: type it again", name)
			}
		}
	}
	return nil
}

// leads is where somebody goes on who did something: to the dispute, or back to where he was.
func (d Done) leads(campaign, as string, form url.Values) string {
	number := func(n uint64) string { return strconv.FormatUint(n, 10) }
	switch form.Get("do") {
	case Open:
		if happened := d.Entries[0].Happened; len(happened) > 0 {
			return at(campaign, as, "disputes", number(happened[0].Index))
		}
	case Correct:
		if happened := d.Corrected.Happened; len(happened) > 0 { // the first says what is corrected, and why
			return at(campaign, as, "events", number(happened[0].Index))
		}
	case TakeBack:
		if happened := d.Undone.Happened; len(happened) > 0 {
			return withQuery(at(campaign, as, "desk"), "taken", number(happened[0].Index))
		}
	case State, Bring, Rule, Withdraw:
		if about, err := index(form.Get("dispute")); err == nil {
			return at(campaign, as, "disputes", number(about))
		}
	case Answer:
		if d.Given > 0 {
			return at(campaign, as, "events", number(d.Given))
		}
		return at(campaign, as)
	}
	return at(campaign, as, "desk")
}
