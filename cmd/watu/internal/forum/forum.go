// Package forum writes events of a campaign as a post: for forums that read Markdown, and for those that read BBCode.
//
//	forum.BBCode.Post("straits-1942", "https://watu.example.org", list)
//
// A post names the campaign, then each turn and phase with what happened there, a line an event. Behind each sentence
// stand the rules that it rests on, and what became of the event; the last paragraph says what those rules are. Where
// a site is given, campaign and events are links to its pages. A post says what the log says: nothing that is sealed.
//
// Whatever people wrote means itself, and so do names: a claim with [b] or ** in it is no markup, and what it links to
// is no link.
package forum

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/watu-ledger/watu/cmd/watu/internal/narrator"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/cmd/watu/internal/worded"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/projections/document"
	"github.com/watu-ledger/watu/rules"
)

// Format is how a post is marked up.
type Format string

// The formats.
const (
	Markdown Format = "markdown"
	BBCode   Format = "bbcode"
)

// Formats are the names of all formats.
var Formats = []string{string(Markdown), string(BBCode)}

// markup is how a format says things. The texts that bold, faint and link take are marked up already.
type markup struct {
	plain       func(text string) string
	bold, faint func(marked string) string
	link        func(marked, address string) string
	item        string // before each line of a list
}

var markups = map[Format]markup{
	Markdown: {
		plain: document.Markdown,
		bold:  func(text string) string { return "**" + text + "**" },
		faint: func(text string) string { return "*" + text + "*" },
		link:  func(text, address string) string { return "[" + text + "](" + address + ")" },
		item:  "- ",
	},
	BBCode: { // lists, lines through a text and quotations are written otherwise from forum to forum
		plain: bbcode,
		bold:  func(text string) string { return "[b]" + text + "[/b]" },
		faint: func(text string) string { return "[i]" + text + "[/i]" },
		link:  func(text, address string) string { return "[url=" + address + "]" + text + "[/url]" },
	},
}

// bbcode makes text mean itself in BBCode, which has no escapes: a joiner, which nobody sees, keeps a bracket from
// beginning a tag, an address from becoming a link, a name from being called, and the end of "(SZ 8)" from becoming a
// smiley.
func bbcode(text string) string {
	const joiner = "\u2060"
	return strings.NewReplacer("\n", " ", "[", "["+joiner, "://", ":"+joiner+"//", "www.", "www"+joiner+".",
		"@", "@"+joiner, "8)", "8"+joiner+")").Replace(document.Printable(text))
}

// writer writes one post.
type writer struct {
	markup
	b        strings.Builder
	campaign string // address of its page; empty without a site
	rules    []string
}

// Post writes events, in their order. Site is the address of the server, or empty: then nothing is a link.
func (f Format) Post(campaign, site string, list []timeline.LogEvent) string {
	w := &writer{markup: markups[f]}
	if site != "" {
		w.campaign = site + "/campaigns/" + url.PathEscape(campaign)
	}
	w.b.WriteString(w.bold(w.linked(w.plain(words.Titled(campaign)), "")) + "\n")
	at := "\x00" // no turn is called so
	for i := range list {
		l := &list[i]
		if len(list) > 1 && heads(l) {
			continue // the heading of what comes then says so
		}
		if now := words.Join(", ", l.Turn, string(l.Phase)); now != at {
			at = now
			w.b.WriteString("\n" + w.heading(at))
		}
		w.event(l)
	}
	if len(w.rules) > 0 {
		slices.Sort(w.rules)
		said := strings.Join(rules.Each(slices.Compact(w.rules), rules.Titled), "; ")
		w.b.WriteString("\n" + w.faint("Rules: "+w.plain(said)) + "\n")
	}
	return w.b.String()
}

// heads reports whether an event only begins a turn or a phase.
func heads(l *timeline.LogEvent) bool {
	return (l.Type == "turn_advanced" || l.Type == "phase_advanced") && l.Became() == ""
}

func (w *writer) heading(text string) string {
	if text == "" {
		return ""
	}
	return w.bold(w.plain(text)) + "\n\n"
}

func (w *writer) event(l *timeline.LogEvent) {
	n := strconv.FormatUint(l.Index, 10)
	w.b.WriteString(w.item + w.linked(w.plain("#"+n), "/events/"+n) + " " + w.plain(worded.Sentence(l.Narration)))
	if became := l.Became(); became != "" {
		w.b.WriteString(" " + w.bold(w.plain(became)))
	}
	if cited := narrator.Rules(l.Derivation); len(cited) > 0 {
		w.b.WriteString(" " + w.faint("("+w.plain(strings.Join(cited, ", "))+")"))
		w.rules = append(w.rules, cited...)
	}
	w.b.WriteString("\n")
}

// linked leads to a page of the campaign, where there is a site.
func (w *writer) linked(marked, path string) string {
	if w.campaign == "" {
		return marked
	}
	return w.link(marked, w.campaign+path)
}
