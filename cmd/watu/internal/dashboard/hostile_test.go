package dashboard

import (
	"fmt"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/fixtures"
)

// What players type is text, wherever it stands.
func TestHostileText(t *testing.T) {
	stage, err := newTheatre()
	if err != nil {
		t.Fatal(err)
	}
	const evil = `"><script>alert(1)</script><img src=x onerror=alert(2)>{{.}}`
	k := fixtures.Campaigns()[0]
	for _, f := range fixtures.Campaigns() {
		if f.Name == "second-front-1944" {
			k = f
		}
	}
	k.Note = evil
	k.Files = k.Files[:2]
	if err := stage.play(k); err != nil {
		t.Fatal(err)
	}
	var done service.Submitted
	entry := fmt.Sprintf("dispute: {event: 5, claim: '%s', rule: 'AAR-4-CAP'}", evil)
	if err := stage.post(service.Submission{Name: "entry", Text: entry, Entry: true}, &done, "campaigns", k.Name,
		"submissions"); err != nil || done.Problem != nil {
		t.Fatal(err, done.Problem)
	}
	d := stage.public()
	c, err := stage.service.Campaign(k.Name)
	if err != nil {
		t.Fatal(err)
	}
	labels := 0
	path := pathTo("campaigns", k.Name)
	for _, url := range []string{"/", path, path + "?at=0", path + "/events", fmt.Sprintf("%s?at=%d", path,
		c.Events-1)} {
		doc := read(t, d, url)
		for n := range doc.Descendants() {
			own := strings.HasPrefix(attr(n, "src"), pathTo("campaigns", k.Name, "map")+"/")
			if n.Data == "img" && !own || n.Data == "script" && attr(n, "type") != "module" {
				t.Errorf("%s has a <%s> of a player's", url, n.Data)
			}
		}
		labels += strings.Count(textOf(doc), "alert(1)")
	}
	if labels == 0 {
		t.Error("nothing that the players typed is told")
	}
}
