package share

import (
	"strings"

	"github.com/watu-ledger/watu/cmd/watu/internal/story"
)

// Page is what other sites show of a page that somebody sends on.
type Page struct {
	Site string // the address of the server: "https://watu.example.org"
	Path string // of the page, by which everybody gets the same
	Feed string // path of the campaign's feed

	Title, Text string // empty where they would say what one viewer alone knows
	Picture     string // path of the preview

	lines story.Lines // in the language of both
}

// Address is where the page is.
func (p Page) Address() string { return p.Site + p.Path }

// Image is where its picture is.
func (p Page) Image() string { return p.Site + p.Picture }

// The measures of a preview, in pixels, for a page's tags.
func (Page) Wide() int { return previewWide }

// High is how high it is.
func (Page) High() int { return previewHigh }

// mostText is how many letters a description has: sites cut what is longer.
const mostText = 280

// Summary is a card in words: its title, what it cost and who is ahead, with as many of its sentences as others show.
// It begins with where and when that is.
func Summary(l *story.Language, where string, c story.Card) (title, text string) {
	said := []string{where}
	for _, s := range []*story.Sentence{c.Cost, c.Deck} {
		if s != nil {
			said = append(said, l.Text(*s))
		}
	}
	for _, s := range c.More {
		said = append(said, l.Text(s))
	}
	for i, s := range said {
		if i > 0 && len(text)+len(s) > mostText {
			break
		}
		text += s + ". "
	}
	return l.Text(c.Title), strings.TrimSpace(text)
}
