package dashboard

import (
	"strings"
	"testing"

	"github.com/watu-ledger/watu/events/words"
)

// The league has every campaign with its bars, as the front page counts them, and its feed the latest turn of each.
func TestLeague(t *testing.T) {
	d, all := pages(t)
	doc := read(t, d, "/league")
	list, err := all.service.Campaigns()
	if err != nil || len(list.Campaigns) < 5 {
		t.Fatalf("%d campaigns: %v", len(list.Campaigns), err)
	}
	text, feed := textOf(doc), get(d, "/league/feed.atom").Body.String()
	for _, c := range list.Campaigns {
		if title := byID(doc, "c-"+c.ID); title == nil || textOf(title) != words.Titled(c.Name) {
			t.Errorf("%s has no row", c.Name)
		}
		if !strings.Contains(feed, "<title>"+words.Titled(c.Name)+", "+c.Turn+": ") {
			t.Errorf("the feed has no turn of %s: %s", c.Name, feed)
		}
	}
	for _, said := range []string{"Britain 44", "44 escort factors", "Nobody is asked", "Last played",
		"The Allies lead by"} {
		if !strings.Contains(text, said) {
			t.Errorf("the page lacks %q: %s", said, text)
		}
	}
	if front := textOf(read(t, d, "/")); !strings.Contains(front, "All campaigns side by side") {
		t.Errorf("the front page leads nowhere: %s", front)
	}
}
