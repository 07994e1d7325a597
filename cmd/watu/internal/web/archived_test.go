package web

import (
	"strings"
	"testing"

	"github.com/watu-ledger/watu/cmd/watu/internal/api"
)

// TestArchived: pages and the interface show at once that a campaign stands apart, and again when that is taken back.
func TestArchived(t *testing.T) {
	t.Parallel()
	s, c := served(t, Options{})
	for _, apart := range []bool{false, true, false} {
		var done api.Archived
		must(t, c.Post(t.Context(), api.Archiving{Archived: apart}, &done, "campaigns", "patrol", "archive"))
		if done.Campaign.Archived != apart {
			t.Errorf("%+v, want %v", done, apart)
		}
		for path, want := range map[string]string{
			"/":                        `<h2 id="archived">Archived</h2>`,
			"/?":                       "Final.",
			"/?lang=de":                "Ende.",
			"/campaigns/patrol":        `<span class="mark">archived</span>`,
			"/api/v1/campaigns":        `"archived":[{"name":"patrol"`,
			"/api/v1/campaigns/patrol": `"archived":true`,
		} {
			if _, page := asked(t, s, path); strings.Contains(page, want) != apart {
				t.Errorf("%s, archived %v:\n%s", path, apart, page)
			}
		}
		if _, page := asked(t, s, "/api/v1/ledger"); !strings.Contains(page, `"campaigns":1`) {
			t.Errorf("archived %v: %s", apart, page)
		}
	}
}
