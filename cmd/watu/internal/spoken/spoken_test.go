package spoken

import (
	"testing"

	"github.com/watu-ledger/watu/cmd/watu/internal/story"
	"github.com/watu-ledger/watu/projections/document"
)

var german = story.LanguageOf("de")

func TestTable(t *testing.T) {
	x := document.Table{Title: "Treasuries", Columns: document.Columns("Sea zone", "#Our own"), Rows: [][]document.Text{
		document.Row("Germany", " income", document.Figure(3, 12))}, Note: document.Noted("As Ben had it.")}
	got := Table(german, x)
	if got.Title != "Kassen" || got.Columns[0].Name != "Seezone" || got.Columns[1].Name != "Our own" ||
		got.Rows[0][0].String() != "Deutschland" || got.Rows[0][1].String() != " Einkommen" {
		t.Errorf("%+v", got)
	}
	if x.Title != "Treasuries" || x.Columns[0].Name != "Sea zone" || x.Rows[0][0].String() != "Germany" {
		t.Errorf("the table itself became %+v", x)
	}
	if Foreign(german, x.Note) == nil || Foreign(story.English, x.Note) != nil || Foreign(german, nil) != nil {
		t.Error("a note that stays English")
	}
	s := document.Section{Title: "Treasuries"}
	s.Table(x)
	if got := Section(german, s); got.Title != "Kassen" || got.Blocks[0].Table.Title != "Kassen" {
		t.Errorf("%+v", got)
	}
}

func TestDrawn(t *testing.T) {
	const svg = `<svg><title>Income</title><text class="l">Germany, 26×d6</text><text>a &lt;b&gt;</text></svg>`
	want := `<svg><title>Einkommen</title><text class="l">Deutschland, 26×d6</text><text>a &lt;b&gt;</text></svg>`
	if got := Drawn(german, svg); got != want {
		t.Error(got)
	}
	if Drawn(nil, svg) != svg {
		t.Error("English changes")
	}
}

// Links within the site keep the language, but for those that name one, and for those to another language.
func TestKept(t *testing.T) {
	for link, want := range map[string]string{
		`<a href="/">`:                                   `<a href="/?lang=de">`,
		`<a href="/campaigns/a#map">`:                    `<a href="/campaigns/a?lang=de#map">`,
		`<a href="/campaigns/a/events?from=3&amp;as=x">`: `<a href="/campaigns/a/events?from=3&amp;as=x&amp;lang=de">`,
		`<a href="/campaigns/a?at=3&amp;lang=de">`:       `<a href="/campaigns/a?at=3&amp;lang=de">`,
		`<a href="/campaigns/a" hreflang="en">`:          `<a href="/campaigns/a" hreflang="en">`,
		`<link href="/static/0/watu.css">`:               `<link href="/static/0/watu.css">`,
		`<a href="#made">`:                               `<a href="#made">`,
		`<a href="/login">`:                              `<a href="/login">`,
		`<a href="https://example.com/campaigns/a">`:     `<a href="https://example.com/campaigns/a">`,
	} {
		if got := string(Kept(german, []byte(link))); got != want {
			t.Errorf("%s becomes %s", link, got)
		}
		if got := string(Kept(nil, []byte(link))); got != link {
			t.Errorf("in English %s becomes %s", link, got)
		}
	}
}
