package dashboard

import (
	"fmt"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
)

// The page of a campaign lists at its head what is pending: how much, which events, because of what, and the command
// that decides. So does the page of an event that would be another.
func TestPendingOnThePages(t *testing.T) {
	d, all := pages(t)
	found := 0
	for _, c := range campaignsOf(t, all.service) {
		left, err := all.service.Pending(t.Context(), c.ID, timeline.Viewer{As: timeline.Public})
		if err != nil {
			t.Fatal(err)
		}
		path := pathTo("campaigns", c.Name)
		at := byID(read(t, d, path), "pending")
		listed := len(left.Pending) > 0 || left.ReadOnly
		want := fmt.Sprintf("%d later entries could not be heard again", len(left.Unchecked))
		if listed && len(left.Unchecked) > 0 && !strings.Contains(textOf(at), want) {
			t.Errorf("%s does not say of how many entries it is not known: %s", c.Name, textOf(at))
		}
		if len(left.Pending) == 0 {
			if at != nil && (!listed || len(left.Unchecked) == 0) {
				t.Errorf("%s: %s", c.Name, textOf(at))
			}
			continue
		}
		found++
		got := textOf(at)
		for _, x := range left.Pending {
			for _, want := range []string{fmt.Sprintf("#%d %s", x.Event, x.Results[0].Text),
				fmt.Sprintf("because of #%d", x.Cause)} {
				if !strings.Contains(got, want) {
					t.Errorf("%s: %q does not say %q", c.Name, got, want)
				}
			}
			if own := textOf(byID(read(t, d, pathTo("campaigns", c.Name, "events", x.Event)),
				"left")); !strings.Contains(own, "would be") {
				t.Errorf("#%d of %s: %s", x.Event, c.Name, own)
			}
		}
		if strings.Contains(got, "watu ") {
			t.Errorf("%s: %q names a command of the terminal", c.Name, got)
		}
		if before := byID(read(t, d, path+"?at=1"), "pending"); before != nil {
			t.Errorf("%s before it was corrected: %s", c.Name, textOf(before))
		}
	}
	if found == 0 {
		t.Error("nothing is pending in any bundled campaign")
	}
}

func campaignsOf(t *testing.T, f *service.Service) []timeline.Campaign {
	t.Helper()
	list, err := f.Campaigns()
	if err != nil {
		t.Fatal(err)
	}
	return list.Campaigns
}
