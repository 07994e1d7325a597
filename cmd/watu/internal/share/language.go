package share

import (
	"strings"

	"github.com/watu-ledger/watu/cmd/watu/internal/story"
	"github.com/watu-ledger/watu/events"
)

// In is a path in a language. English needs no words about it.
func In(l *story.Language, path string) string {
	if l == nil || l == story.English {
		return path
	}
	before := "?"
	if strings.Contains(path, "?") {
		before = "&"
	}
	return path + before + "lang=" + l.Tag
}

// FeedID names the feed of a campaign in a language.
func FeedID(l *story.Language, campaign string) string {
	if l == nil || l == story.English {
		return ID(campaign)
	}
	return ID(campaign, l.Tag)
}

// In has others see the page in a language, with its picture and its feed.
func (p *Page) In(l *story.Language) *Page {
	p.Path, p.Feed, p.Picture, p.lines = In(l, p.Path), In(l, p.Feed), In(l, p.Picture), story.LinesOf(l)
	return p
}

// Locale is the language of title and text, as other sites name it.
func (p Page) Locale() string { return p.lines.Within("locale") }

// FeedTitle says what the feed has.
func (p Page) FeedTitle() string { return p.lines.Says("feed") }

// numbered is a sentence about a thing of the record.
func numbered(l *story.Language, key string, index uint64, with story.Parts) string {
	parts := story.Parts{"n": story.Count{Of: "plain", N: int64(index)}}
	for name, p := range with {
		parts[name] = p
	}
	return l.Text(story.Sentence{Key: key, With: parts})
}

// Ruling is the title of a ruling.
func Ruling(l *story.Language, index uint64) string { return numbered(l, "feed-ruling", index, nil) }

// ruled are the words for how a dispute was ruled.
var ruled = map[string]story.Part{
	events.RulingUpheld:    story.Sentence{Key: "ruled-upheld"},
	events.RulingCorrected: story.Sentence{Key: "ruled-corrected"},
	events.RulingVoid:      story.Sentence{Key: "ruled-void"},
	events.RulingPrecedent: story.Sentence{Key: "ruled-precedent"},
}

// Dispute is the title of a dispute: open while no ruling is named.
func Dispute(l *story.Language, index uint64, ruling string) string {
	if ruling == "" {
		return numbered(l, "feed-open", index, nil)
	}
	return numbered(l, "feed-ruled", index, story.Parts{"how": ruled[ruling]})
}
