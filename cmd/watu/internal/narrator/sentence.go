package narrator

import (
	"fmt"
	"strings"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/projections/document"
)

// textf formats a sentence like [fmt.Sprintf]. Where an argument of %s is a span or a text, its links stay.
func textf(format string, args ...any) (t document.Text) {
	for _, arg := range args {
		verb := strings.IndexByte(format, '%')
		end := verb + 1 + strings.IndexAny(format[verb+1:], "abcdefghijklmnopqrstuvwxyz")
		switch arg.(type) {
		case document.Span, document.Text:
		default:
			arg = fmt.Sprintf(format[verb:end+1], arg)
		}
		t = document.Concat(t, format[:verb], arg)
		format = format[end+1:]
	}
	return document.Concat(t, format)
}

// event names an event: "#57".
func event(index uint64) document.Span { return document.Event(index) }

// dispute names a dispute by the event that opened it.
func dispute(index uint64) document.Span {
	return document.Span{Text: fmt.Sprintf("#%d", index), To: document.Link{Kind: document.ToCase, Event: index}}
}

// indexes is "#3 to #5 and #9".
func indexes(list []uint64) (t document.Text) {
	runs := words.Runs(list)
	for i, r := range runs {
		switch {
		case i > 0 && i == len(runs)-1:
			t = document.Concat(t, " and ")
		case i > 0:
			t = document.Concat(t, ", ")
		}
		t = append(t, event(r[0]))
		if r[1] != r[0] {
			t = document.Concat(t, " to ", event(r[1]))
		}
	}
	return t
}

// plainly adapts a function whose sentences have no links.
func plainly(text func(*events.Event, events.Payload) string) func(*events.Event, events.Payload) document.Text {
	return func(e *events.Event, p events.Payload) document.Text { return document.Concat(text(e, p)) }
}
