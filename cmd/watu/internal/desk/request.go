package desk

import (
	"cmp"
	"net/url"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/cmd/watu/internal/story"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/rules"
)

// Request is what a side asks the umpire to enter, or to know. It is a word between people: nothing of it is recorded,
// the umpire and the side alone read it, and it is gone when the server stops.
type Request struct {
	ID   uint64
	Side string // who asks
	Word string // "2 old destroyers"; may be empty
	Text string // entries, as a turn file has them; may be empty

	Answer string // of the umpire, who has seen to it; empty while it waits
}

// requests are those that the umpires of all campaigns have not seen to, and those that they answered.
type requests struct {
	mu   sync.Mutex
	last uint64
	of   map[string][]Request // by campaign
}

// What a side may ask for at a time.
const (
	mostRequests = 10   // that wait, and as many that are answered
	mostWord     = 300  // characters, of an answer too
	mostAsked    = 8000 // characters of its text
)

// Buttons of requests. The value of both is the request's number.
const (
	takeRequest = "take-request" // the umpire has its text in the box, and it waits on
	dropRequest = "drop-request" // he is done with it; or the side that asked, with his answer
)

// reply begins the field of the answer to a request, before its number.
const reply = "reply-"

// list gives the requests that a viewer reads, those that wait or those that are answered: the umpire all, a side its
// own.
func (r *requests) list(campaign string, v timeline.Viewer, answered bool) (list []Request) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, x := range r.of[campaign] {
		if (v.As == timeline.Umpire || v.As == x.Side) && (x.Answer != "") == answered {
			list = append(list, x)
		}
	}
	return list
}

// ask keeps a request; one that waits already is not kept twice.
func (r *requests) ask(campaign string, x Request) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	own := 0
	for _, is := range r.of[campaign] {
		if is.Side != x.Side || is.Answer != "" {
			continue
		}
		if own++; is.Word == x.Word && is.Text == x.Text {
			return nil
		}
	}
	if own >= mostRequests {
		return problem.New(problem.Refused, "the umpire has %d requests of yours to see to: wait for him", own)
	}
	r.last++
	x.ID = r.last
	if r.of == nil {
		r.of = map[string][]Request{}
	}
	r.of[campaign] = append(r.of[campaign], x)
	return nil
}

// answer keeps the umpire's answer to a request, for the side to read. The side's oldest goes when there are too many.
func (r *requests) answer(campaign string, id uint64, text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	list := r.of[campaign]
	at := slices.IndexFunc(list, func(x Request) bool { return x.ID == id })
	if at < 0 {
		return
	}
	list[at].Answer = text
	own := func(x Request) bool { return x.Side == list[at].Side && x.Answer != "" }
	if rules.Count(list, own) > mostRequests {
		first := slices.IndexFunc(list, own)
		r.of[campaign] = slices.Delete(list, first, first+1)
	}
}

// drop takes a request away.
func (r *requests) drop(campaign string, id uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.of[campaign] = slices.DeleteFunc(r.of[campaign], func(x Request) bool { return x.ID == id })
}

// request gives the umpire what a side wrote and what stands in its text and in the form that is open.
func (d *Desk) request(c timeline.Campaign, v timeline.Viewer, form url.Values) error {
	if silent, err := d.silent(c, v, story.Lines{}); err != nil || silent != "" || v.As == timeline.Umpire {
		return cmp.Or(err, error(problem.New(problem.Refused, "a side asks the umpire, and nobody else does. %s",
			silent)))
	}
	typed := form.Get("text")
	if _, err := d.fold(c, v, form, false); err != nil {
		return err
	}
	x := Request{Side: v.As, Word: strings.TrimSpace(form.Get("word")), Text: strings.TrimSpace(form.Get("text"))}
	form.Set("text", typed)
	switch {
	case x.Word == "" && x.Text == "":
		return problem.New(problem.Input, "there is nothing to give to the umpire: write to him, or fill in a form")
	case utf8.RuneCountInString(x.Word) > mostWord:
		return problem.New(problem.Input, "a few words are enough: at most %d characters", mostWord)
	case utf8.RuneCountInString(x.Text) > mostAsked:
		return problem.New(problem.Input, "the text is too long to be given to the umpire: at most %d characters",
			mostAsked)
	}
	if err := d.asked.ask(c.Name, x); err != nil {
		return err
	}
	for name := range form {
		if name == "text" || name == "word" || name == formOf || strings.HasPrefix(name, fieldPrefix) {
			form.Del(name)
		}
	}
	return nil
}

// seen has the umpire done with a request, answered or not, or its text put into the box; or a side with an answer.
func (d *Desk) seen(c timeline.Campaign, v timeline.Viewer, form url.Values) error {
	take := form.Get(takeRequest)
	id, err := index(cmp.Or(take, form.Get(dropRequest)))
	if err != nil {
		return err
	}
	is := func(x Request) bool { return x.ID == id }
	if v.As != timeline.Umpire {
		if take != "" || !slices.ContainsFunc(d.asked.list(c.Name, v, true), is) {
			return problem.New(problem.Refused, "the umpire sees to requests")
		}
		d.asked.drop(c.Name, id)
		return nil
	}
	text := strings.Join(strings.Fields(form.Get(reply+number(id))), " ")
	switch {
	case take != "" && strings.TrimSpace(form.Get("text")) != "":
		return problem.New(problem.Refused, "the box holds a text: enter it first, or clear it")
	case take != "":
		if x, there := rules.Find(d.asked.list(c.Name, v, false), is); there {
			form.Set("text", x.Text)
		}
	case utf8.RuneCountInString(text) > mostWord:
		return problem.New(problem.Input, "a line is enough to answer with: at most %d characters", mostWord)
	case text != "":
		d.asked.answer(c.Name, id, text)
	default:
		d.asked.drop(c.Name, id)
	}
	return nil
}
