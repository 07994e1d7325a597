package g40

import (
	"slices"
	"testing"

	"github.com/watu-ledger/watu/rules"
)

// Either treasury of the United Kingdom is compensated apart (G40-UK-SEPARATE).
func TestCompensate(t *testing.T) {
	c := world(t, nil)
	europe, pacific := c.Game().(game).Treasury("UK Europe"), c.Game().(game).Treasury("UK Pacific")
	o := c.Stand("compensate",
		`{"compensate":{"treasury":{"UK Pacific":2,"Germany":-1},"reason":"a convoy was overlooked"}}`)
	if e, p := c.Game().(game).Treasury("UK Europe"), c.Game().(game).Treasury("UK Pacific"); e != europe ||
		p != pacific+2 {
		t.Errorf("%d and %d, after %d and %d", e, p, europe, pacific)
	}
	if len(o.Drafts) != 2 || o.Drafts[1].Side != "UK" {
		t.Errorf("%+v", o.Drafts)
	}
	for _, body := range []string{
		`{"treasury":{"UK":2},"reason":"a slip"}`, `{"treasury":{"UK Pacific":2}}`,
		`{"treasury":{"UK Pacific":-90},"reason":"a slip"}`,
	} {
		if got := c.Refused("compensate", `{"compensate":`+body+`}`); !slices.Equal(got, []string{rules.Input}) {
			t.Errorf("%s: %q", body, got)
		}
	}
}
