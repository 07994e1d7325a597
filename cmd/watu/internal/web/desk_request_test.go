package web

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/campaign"
)

var requested = regexp.MustCompile(`name="drop-request" value="(\d+)"`)

// TestDeskRequests: what a side may not enter itself it gives to the umpire, who has it in his text or is done with it.
// Nothing is recorded of it, and nobody else reads it.
func TestDeskRequests(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	umpire := d.begin(replay.NewCampaign{System: "aar", Seats: []campaign.Seat{{Name: "Karl",
		Sides: []string{"UK", "Germany"}}}})
	karl, other := d.token("west", "UK"), d.token("west", "Germany")
	before := d.events()
	ask := url.Values{"do": {"request"}, "word": {"the <old> destroyers"}, "verb": {"roll"},
		"f/roll/dice": {"2d6"}, "f/roll/for": {"a convoy"}}
	for range 2 { // sent twice, it waits once
		body := d.send(karl, ask).Body.String()
		if !strings.Contains(body, `id="asked"`) || !strings.Contains(body, `id="given"`) ||
			strings.Count(body, "the &lt;old&gt; destroyers") != 1 ||
			boxOf(t, body) != "" || strings.Contains(body, `value="a convoy"`) {
			t.Fatalf("what was asked for: %s", body)
		}
	}
	body := d.sees(other) + d.sees("")
	if strings.Contains(body, "destroyers</") || strings.Contains(body, "a convoy") {
		t.Errorf("another reads it: %s", body)
	}
	all := requested.FindAllStringSubmatch(d.sees(umpire), -1)
	if len(all) != 1 {
		t.Fatalf("the umpire reads %q", all)
	}
	first := []string{all[0][1]}
	for token, act := range map[string]url.Values{karl: {"take-request": first}, other: {"drop-request": first},
		umpire: {"do": {"request"}, "word": {"to himself"}}} {
		if w := d.send(token, act); w.Code == http.StatusOK {
			t.Errorf("%v is heard", act)
		}
	}
	for _, x := range []url.Values{{"word": {" "}}, {"word": {strings.Repeat("x", 301)}},
		{"text": {strings.Repeat("x", 9000)}}} {
		x.Set("do", "request")
		if w := d.send(karl, x); w.Code == http.StatusOK {
			t.Errorf("%.40v is heard", x)
		}
	}
	w := d.send(umpire, url.Values{"take-request": {all[0][1]}, "text": {"turn: Round 1"}})
	if w.Code == http.StatusOK || boxOf(t, w.Body.String()) != "turn: Round 1" {
		t.Errorf("a text that the umpire wrote is gone: %s", w.Body)
	}
	body = d.send(umpire, url.Values{"take-request": {all[0][1]}}).Body.String()
	if text := boxOf(t, body); !strings.Contains(text, "for: a convoy") || !requested.MatchString(body) {
		t.Errorf("the umpire's text is %q", text) // taken twice, it is there twice: it waits until he is done with it
	}
	d.send(umpire, url.Values{"drop-request": {all[0][1]}})
	if body := d.sees(karl); strings.Contains(body, `id="asked"`) || strings.Contains(body, `id="given"`) {
		t.Errorf("it waits yet: %s", body)
	}
	for i := range 11 {
		w := d.send(karl, url.Values{"do": {"request"}, "word": {fmt.Sprint("word ", i)}})
		if heard := w.Code == http.StatusOK; heard != (i < 10) {
			t.Errorf("request %d: %d", i, w.Code)
		}
	}
	all = requested.FindAllStringSubmatch(d.sees(umpire), -1)
	body = d.send(umpire, url.Values{"drop-request": {all[0][1]}, "text": {"turn: Round 1"}}).Body.String()
	if len(all) != 10 || len(requested.FindAllString(body, -1)) != 9 || boxOf(t, body) != "turn: Round 1" {
		t.Errorf("of %d requests: %s", len(all), body)
	}
	if d.events() != before {
		t.Errorf("%d events came of requests", d.events()-before)
	}
}

// TestRequestsAreAnswered: with a request the umpire sees to he may write a line, which the side that asked reads until
// it puts it away, and nobody else.
func TestRequestsAreAnswered(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	umpire := d.begin(replay.NewCampaign{System: "aar", Seats: []campaign.Seat{{Name: "Karl",
		Sides: []string{"UK", "Germany"}}}})
	karl, other := d.token("west", "UK"), d.token("west", "Germany")
	asks := func(word string) (id string) {
		d.send(karl, url.Values{"do": {"request"}, "word": {word}})
		all := requested.FindAllStringSubmatch(d.sees(umpire), -1)
		return all[len(all)-1][1]
	}
	replies := regexp.MustCompile(`(?s)<section id="replies".*?</section>`)
	first := asks("two old boats")
	long := url.Values{"drop-request": {first}, "reply-" + first: {strings.Repeat("x", 301)}}
	if w := d.send(umpire, long); w.Code == http.StatusOK {
		t.Error("an answer of 301 characters is heard")
	}
	body := d.send(umpire, url.Values{"drop-request": {first}, "reply-" + first: {" <one>\nis enough "},
		"text": {"turn: Round 1"}}).Body.String()
	if requested.MatchString(body) || boxOf(t, body) != "turn: Round 1" {
		t.Errorf("what is answered waits for the umpire: %s", body)
	}
	if said := replies.FindString(d.sees(karl)); !strings.Contains(said, "two old boats") ||
		!strings.Contains(said, "<b>&lt;one&gt; is enough</b>") {
		t.Errorf("the side reads %q", said)
	}
	if body := d.sees(other) + d.sees("") + d.sees(umpire); strings.Contains(body, "is enough") {
		t.Errorf("another reads it: %s", body)
	}
	away := url.Values{"drop-request": {first}}
	if w := d.send(other, away); w.Code == http.StatusOK || !replies.MatchString(d.sees(karl)) {
		t.Error("another puts it away")
	}
	if body := d.send(karl, away).Body.String(); replies.MatchString(body) {
		t.Errorf("it is put away and stands there: %s", body)
	}
	if w := d.send(karl, url.Values{"drop-request": {asks("three")}}); w.Code == http.StatusOK {
		t.Error("a side sees to its own request")
	}
	for i := range 12 {
		id := asks(fmt.Sprint("word ", i))
		d.send(umpire, url.Values{"drop-request": {id}, "reply-" + id: {fmt.Sprint("answer ", i, ".")}})
	}
	if said := replies.FindString(d.sees(karl)); strings.Contains(said, "answer 1.") ||
		strings.Count(said, "answer ") != 10 || !strings.Contains(said, "answer 11.") {
		t.Errorf("of twelve answers: %q", said)
	}
}

// TestFormEntersWhatStandsThere: the button of a form enters it where all that it holds stood there by itself.
func TestFormEntersWhatStandsThere(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	umpire := d.begin(replay.NewCampaign{System: "aar"})
	for _, x := range []url.Values{{"do": {"enter-form"}, "verb": {"turn"}, "f/turn": {"Round 1"}},
		{"do": {"enter"}, "verb": {"collect income"}, "f/collect income/power": {"Russia"}}} {
		before := d.events()
		x.Set("after", fmt.Sprint(before))
		if body := d.send(umpire, x).Body.String(); d.events() == before {
			t.Errorf("%v came to nothing: %s", x, body)
		}
	}
}

// TestFormInSpiteOfWarnings: a form that stands there by itself beside a text of its own is entered with it by the
// second button too, and not left out.
func TestFormInSpiteOfWarnings(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	umpire := d.begin(replay.NewCampaign{System: "aar"})
	d.enters(umpire, "turn: Round 1\nentries:\n  - {id: a, collect income: Russia}")
	before := d.events()
	form := url.Values{"do": {"enter-form"}, "text": {"entries:\n  - {id: b, collect income: Germany}\n"},
		"verb": {"turn"}, "f/turn": {"Round 2"}, "after": {fmt.Sprint(before)}}
	body := d.send(umpire, form).Body.String()
	m := despiteAt.FindStringSubmatch(body)
	if m == nil || d.events() != before || !strings.Contains(body, `name="whole" value="form"`) {
		t.Fatalf("%d events, and %s", d.events()-before, body)
	}
	form.Del("do")
	form.Set("whole", "form")
	form.Set("despite", m[1])
	if body := d.send(umpire, form).Body.String(); d.events() < before+3 {
		t.Fatalf("%d events: %s", d.events()-before, body)
	}
}
