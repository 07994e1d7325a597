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
)

// Request is what a side asks the umpire to enter, or to know. It is a word between people: nothing of it is recorded,
// the umpire and the side alone read it, and it is gone when the server stops.
type Request struct {
	ID   uint64
	Side string // who asks
	Word string // "2 old destroyers"; may be empty
	Text string // entries, as a turn file has them; may be empty
}

// requests are those that the umpires of all campaigns have not seen to.
type requests struct {
	mu   sync.Mutex
	last uint64
	of   map[string][]Request // by campaign
}

// What a side may ask for at a time.
const (
	mostRequests = 10   // that wait
	mostWord     = 300  // characters
	mostAsked    = 8000 // characters of its text
)

// Buttons of requests. The value of both is the request's number.
const (
	takeRequest = "take-request" // the umpire has its text in the box, and it waits on
	dropRequest = "drop-request" // he is done with it
)

// waiting lists the requests that a viewer reads: the umpire all, a side its own.
func (r *requests) waiting(campaign string, v timeline.Viewer) (list []Request) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, x := range r.of[campaign] {
		if v.As == timeline.Umpire || v.As == x.Side {
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
		if is.Side != x.Side {
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

// seen has the umpire done with a request, whose text he may want in the box.
func (d *Desk) seen(c timeline.Campaign, v timeline.Viewer, form url.Values) error {
	if v.As != timeline.Umpire {
		return problem.New(problem.Refused, "the umpire sees to requests")
	}
	take := form.Get(takeRequest)
	if take != "" && strings.TrimSpace(form.Get("text")) != "" {
		return problem.New(problem.Refused, "the box holds a text: enter it first, or clear it")
	}
	id, err := index(cmp.Or(take, form.Get(dropRequest)))
	if err != nil {
		return err
	}
	if take == "" {
		d.asked.drop(c.Name, id)
		return nil
	}
	for _, x := range d.asked.waiting(c.Name, v) {
		if x.ID == id {
			form.Set("text", x.Text)
		}
	}
	return nil
}
