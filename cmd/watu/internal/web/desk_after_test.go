package web

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/replay"
)

// TestDeskStandsAtItsAct: the page that follows an act shows the campaign behind that act, so what was just entered
// can be taken back from it.
func TestDeskStandsAtItsAct(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	umpire := d.begin(replay.NewCampaign{System: "aar"})
	if body := d.sees(umpire); !strings.Contains(body, "Nothing was entered yet that could be taken back") {
		t.Errorf("a fresh campaign: %s", body)
	}
	for _, x := range []struct{ enters, stands string }{
		{"turn: Round 1\nentries:\n  - {id: r, collect income: Russia}", "Round 1, Russia collect income"},
		{"{phase: purchase units, player: Germany}", "Round 1, Germany purchase units"},
		{"{collect income: Germany}", "Round 1, Germany collect income"},
	} {
		body := d.send(umpire, url.Values{"do": {"enter"}, "text": {x.enters}}).Body.String()
		if after := fmt.Sprintf(`name="after" value="%d"`, d.events()); !strings.Contains(body, x.stands) ||
			!strings.Contains(body, after) {
			t.Errorf("%s\nwithout %q or %q: %s", x.enters, x.stands, after, body)
		}
		last := regexp.MustCompile(`name="event" value="(\d+)"><input type="hidden" name="after" value="(\d+)"`).
			FindStringSubmatch(body)
		if last == nil {
			t.Fatalf("%s\ncannot be taken back: %s", x.enters, body)
		}
		if x.stands == "Round 1, Germany collect income" {
			w := d.send(umpire, url.Values{"do": {"undo"}, "event": last[1:2], "after": last[2:],
				"reason": {"too early"}})
			if at := w.Header().Get("Location"); at != fmt.Sprintf("/campaigns/west/desk?taken=%d", d.events()-1) {
				t.Errorf("%d to %q: %s", w.Code, at, w.Body)
			}
		}
	}
	body := d.ask("GET", fmt.Sprintf("/campaigns/west/desk?taken=%d", d.events()-1), "", "Cookie",
		"__Host-watu="+umpire).body
	for _, says := range []string{"<h2>Taken back</h2>", "too early",
		"<code>{collect income: Germany}</code>"} {
		if !strings.Contains(body, says) {
			t.Errorf("taken back, without %q: %s", says, body)
		}
	}
}

// TestDeskSaysWhyNothingIsTakenBack: the reason is the one of the campaign at hand.
func TestDeskSaysWhyNothingIsTakenBack(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	umpire := d.begin(replay.NewCampaign{System: "aar"})
	for _, x := range []struct{ says, do, name, value string }{
		{"a turn began</span>. A turn that has begun stays begun", "enter", "text", "turn: Round 1"},
		{"something was said in a dispute</span>", "dispute", "claim", "it began too early"},
	} {
		d.send(umpire, url.Values{"do": {x.do}, x.name: {x.value}, "event": {"3"}})
		body := d.sees(umpire)
		want := fmt.Sprintf(`#%d</a>, <span lang="en">%s. What is wrong`, d.events()-1, x.says)
		if !strings.Contains(body, want) {
			t.Errorf("without %q: %s", want, body)
		}
	}
}
