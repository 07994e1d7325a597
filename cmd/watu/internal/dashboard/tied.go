package dashboard

import (
	"regexp"
	"strconv"

	"github.com/watu-ledger/watu/cmd/watu/internal/office"
)

// tied is a part of a page that points at events of its campaign.
type tied struct {
	campaign string
	events   uint64 // how many there are
}

// stretch is a piece of a text, a link where it names an event.
type stretch struct{ Text, Path string }

// bound is an event in a list, and the way to it.
type bound struct {
	office.Line
	Path  string
	Spans []stretch
}

// To is the path of why an event is as it is.
func (t tied) To(index uint64) string { return pathTo("campaigns", t.campaign, "events", index) }

// Dispute is the path of a dispute.
func (t tied) Dispute(index uint64) string {
	return pathTo("campaigns", t.campaign, "disputes", index)
}

// At is the path of the campaign right behind an event.
func (t tied) At(index uint64) string {
	return pathTo("campaigns", t.campaign) + "?at=" + strconv.FormatUint(index, 10)
}

// Lines are events, each with the way to it.
func (t tied) Lines(list []office.Line) []bound {
	var out []bound
	for _, l := range list {
		out = append(out, t.Line(l))
	}
	return out
}

// Line is an event with the way to it.
func (t tied) Line(l office.Line) bound { return bound{l, t.To(l.Index), t.Text(l.Text)} }

var numbered = regexp.MustCompile(`#\d{1,15}\b`)

// Text cuts a text where it names an event of the campaign: "corrects #57".
func (t tied) Text(text string) []stretch {
	var list []stretch
	from := 0
	for _, at := range numbered.FindAllStringIndex(text, -1) {
		index, err := strconv.ParseUint(text[at[0]+1:at[1]], 10, 64)
		if err != nil || index >= t.events {
			continue
		}
		list = append(list, stretch{Text: text[from:at[0]]}, stretch{text[at[0]:at[1]], t.To(index)})
		from = at[1]
	}
	return append(list, stretch{Text: text[from:]})
}

// Voice is how a line begins with a seat.
func (tied) Voice(seat string) string {
	if seat == office.Umpire {
		return "The umpire"
	}
	return seat
}
