package report

import (
	"embed"
	"html/template"
	"strings"
	"sync"

	"github.com/watu-ledger/watu/cmd/watu/internal/narrator"
	"github.com/watu-ledger/watu/projections/document"
)

//go:embed page.html
var pages embed.FS

var page = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("page.html").Funcs(template.FuncMap{
		"svg":       func(c *Chart) template.HTML { return template.HTML(c.SVG) }, // our own writer's, which escapes
		"refs":      func(l Line) string { return l.refs() },
		"rules":     func(l Line) string { return l.shownRules() },
		"title":     func(t Turn) string { return t.title() },
		"dispute":   func(d Dispute) string { return d.title() },
		"ruled":     func(r *Ruling) string { return r.text() },
		"text":      func(t document.Text) template.HTML { return template.HTML(t.HTML(nil)) }, // which escapes
		"table":     func(t document.Table) template.HTML { return template.HTML(t.HTML(nil)) },
		"clean":     document.Printable,
		"unchecked": narrator.Unchecked,
		"by":        person,
		"mine":      func() string { return Marker },
		"chart":     func(c Chart) *Chart { return &c },
		"hits":      func() string { return hitsExplained },
	}).ParseFS(pages, "page.html"))
})

// shown is what the page is made of, beside the report.
type shown struct {
	*Report
	Heading   string
	Played    []string
	Legend    string
	Source    string
	Figures   []Chart
	LuckChart *Chart
	Explained []string
	HitTable  document.Table
	Ruled     bool
}

// HTML is the report as one page: no other file, no request, no script.
func (r *Report) HTML() (string, error) {
	var b strings.Builder
	err := page().Execute(&b, shown{
		Report: r, Heading: r.heading(), Played: r.played(), Legend: r.legend(), Source: r.source(),
		Figures:   r.figures(),
		LuckChart: r.luckChart(), Explained: r.Luck.explained(), HitTable: r.Luck.hitTable(),
		Ruled: len(r.Disputes)+len(r.Rulings)+len(r.Corrections)+len(r.Pending) > 0,
	})
	return b.String(), err
}
