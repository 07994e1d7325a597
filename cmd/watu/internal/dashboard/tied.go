package dashboard

import (
	"html/template"
	"regexp"
	"strconv"

	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/projections/document"
)

// tied is a part of a page that points at events of its campaign.
type tied struct {
	links
	events uint64 // how many there are
}

// bound is an event in a list, and the way to it.
type bound struct {
	service.Line
	Path  string
	Spans template.HTML
	Cites []ruleLink
}

// To is the path of why an event is as it is.
func (t tied) To(index uint64) string { return pathTo("campaigns", string(t.links), "events", index) }

// Dispute is the path of a dispute.
func (t tied) Dispute(index uint64) string {
	return pathTo("campaigns", string(t.links), "disputes", index)
}

// At is the path of the campaign right behind an event.
func (t tied) At(index uint64) string {
	return pathTo("campaigns", string(t.links)) + "?at=" + strconv.FormatUint(index, 10)
}

// Lines are events, each with the way to it.
func (t tied) Lines(list []service.Line) []bound {
	var out []bound
	for _, l := range list {
		out = append(out, t.Line(l))
	}
	return out
}

// Alone is an event without its rules, for where these follow with their words.
func (t tied) Alone(l service.Line) bound {
	l.Rules = nil
	return t.Line(l)
}

// Line is an event with the way to it.
func (t tied) Line(l service.Line) bound {
	return bound{l, t.To(l.Index), t.Text(l.Text), ruleLinks(string(t.links), l.Rules)}
}

// numbered finds where a text names an event: "in place of #57". "SZ 6 #1" is a submarine.
var numbered = regexp.MustCompile(`(?:^|[(:,]|\b(?:of|in|by|as|for|on|dispute|contest|event)) ?(#\d{1,15})\b`)

// Text cuts a text where it names an event of the campaign.
func (t tied) Text(text string) template.HTML {
	var list document.Text
	from := 0
	for _, at := range numbered.FindAllStringSubmatchIndex(text, -1) {
		first, last := at[2], at[3]
		index, err := strconv.ParseUint(text[first+1:last], 10, 64)
		if err != nil || index >= t.events {
			continue
		}
		list = append(list, said(text[from:first]), document.Event(index))
		from = last
	}
	return t.Draw(append(list, said(text[from:])))
}

// Voice is how a line begins with a seat.
func (tied) Voice(seat string) string {
	if seat == service.Umpire {
		return "The umpire"
	}
	return seat
}
