package service

import (
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/cmd/watu/internal/tokens"
	"github.com/watu-ledger/watu/events/words"
)

// NewToken is a token that is asked for: who may look at a campaign with it. The answer is an [IssuedToken].
type NewToken struct {
	Campaign string        `json:"campaign,omitempty"` // name or ULID; may be left out where there is only one
	As       string        `json:"as"`                 // as [Service.Viewer] reads it; not the public, which needs none
	Note     string        `json:"note,omitempty"`
	For      time.Duration `json:"for,omitempty"` // how long it holds, in nanoseconds; 0 for [TokenLife]
}

// How long a token holds.
const (
	TokenLife    = 30 * 24 * time.Hour  // if nobody says otherwise
	TokenMaxLife = 400 * 24 * time.Hour // at most
)

// longestNote is how many bytes a token's note may have.
const longestNote = 200

// Token is a token as its umpire sees it afterwards.
type Token struct {
	ID       string     `json:"id"`
	Campaign string     `json:"campaign"` // its name
	As       string     `json:"as"`
	Late     uint64     `json:"late,omitempty"` // of a commentator: how many turns
	Note     string     `json:"note,omitempty"`
	Issued   time.Time  `json:"issued"`
	Expires  time.Time  `json:"expires"`
	Revoked  *time.Time `json:"revoked,omitempty"`
	Holds    bool       `json:"holds"`
}

// Tokens is `watu token list --json`.
type Tokens struct {
	Version int     `json:"version"`
	Tokens  []Token `json:"tokens"` // in the order in which they were given out
}

// IssuedToken is a token as it is shown once.
type IssuedToken struct {
	Version int `json:"version"`
	Token
	Text string `json:"token"`
}

// LoginLink is a link that signs a browser in by tokens: at the server with that address, without a path.
func LoginLink(server string, texts ...string) string {
	return server + "/login?" + url.Values{"token": {strings.Join(texts, ".")}}.Encode()
}

// LinkTokens are the tokens of a link.
func LinkTokens(text string) []string { return strings.Split(strings.TrimSpace(text), ".") }

// Grant is what a token lets its holder do: look at a campaign as that viewer.
type Grant struct {
	Token    string // its id
	Campaign string // ULID
	timeline.Viewer
	Expires time.Time
}

// IssueToken gives out a token.
func (f *Service) IssueToken(n NewToken) (out IssuedToken, err error) {
	name, err := f.onlyCampaign(n.Campaign)
	if err != nil {
		return out, err
	}
	c, err := f.Find(name)
	if err != nil {
		return out, err
	}
	viewer, err := f.Viewer(c.Name, n.As)
	switch {
	case err != nil:
		return out, err
	case viewer.As == timeline.Public:
		return out, problem.New(problem.Input, "the public needs no token: say for which side it is, for a "+
			"commentator or for the umpire")
	case n.For < 0 || n.For > TokenMaxLife:
		return out, problem.New(problem.Input, "a token expires, after %d days at most", TokenMaxLife/(24*time.Hour))
	case len(n.Note) > longestNote:
		return out, problem.New(problem.Input, "the note of a token has at most %d bytes", longestNote)
	case n.For == 0:
		n.For = TokenLife
	}
	now := time.Now().UTC().Truncate(time.Second)
	t, text, err := f.TokenBook().Issue(tokens.Token{
		Campaign: c.ID.String(), As: viewer.As, Late: viewer.Late, Note: n.Note, Issued: now, Expires: now.Add(n.For),
	})
	if err != nil {
		return out, err
	}
	return IssuedToken{Version: maintenance.Version, Token: f.token(t, now), Text: text}, nil
}

// onlyCampaign is the one that is meant where none is named.
func (f *Service) onlyCampaign(name string) (string, error) {
	all := f.Ledger().Campaigns()
	if name != "" || len(all) == 0 {
		return name, nil // find says that there is none
	}
	if len(all) == 1 {
		return all[0].Name, nil
	}
	var names []string
	for _, c := range all {
		names = append(names, c.Name)
	}
	return "", problem.New(problem.Input, "for which campaign is the token? %s", words.There(names))
}

// Tokens lists the tokens that were given out, those that hold no more among them.
func (f *Service) Tokens() (Tokens, error) {
	out := Tokens{Version: maintenance.Version, Tokens: []Token{}}
	list, err := f.TokenBook().All()
	now := time.Now()
	for _, t := range list {
		out.Tokens = append(out.Tokens, f.token(t, now))
	}
	return out, err
}

// RevokeToken ends a token.
func (f *Service) RevokeToken(id string) (Token, error) {
	now := time.Now().UTC().Truncate(time.Second)
	t, err := f.TokenBook().Revoke(id, now)
	if errors.Is(err, tokens.ErrUnknown) || errors.Is(err, tokens.ErrRevoked) {
		return Token{}, problem.New(problem.Input, "%v; watu token list lists them", err)
	}
	return f.token(t, now), err
}

// TokensChanged gives a channel that closes when a token is given out or revoked.
func (f *Service) TokensChanged() <-chan struct{} { return f.TokenBook().Changed() }

// token describes a token, its campaign by name.
func (f *Service) token(t tokens.Token, now time.Time) Token {
	out := Token{
		ID: t.ID, Campaign: t.Campaign, As: t.As, Late: t.Late, Note: t.Note,
		Issued: t.Issued, Expires: t.Expires, Revoked: t.Revoked, Holds: t.Valid(now),
	}
	if c, ok := f.Ledger().Find(t.Campaign); ok {
		out.Campaign = c.Name
	}
	return out
}

// Grant says what a token lets its holder do now; an error says why nothing.
func (f *Service) Grant(text string) (Grant, error) {
	t, ok := f.TokenBook().Find(strings.TrimSpace(text))
	switch {
	case !ok:
		return Grant{}, problem.New(problem.Refused, "there is no such token: ask the umpire for one")
	case t.Revoked != nil:
		return Grant{}, problem.New(problem.Refused, "this token was revoked on %s: ask the umpire for another",
			t.Revoked.Format(time.DateOnly))
	case !t.Valid(time.Now()):
		return Grant{}, problem.New(problem.Refused, "this token expired on %s: ask the umpire for another",
			t.Expires.Format(time.DateOnly))
	}
	as := t.As
	if as == timeline.Commentator {
		as = fmt.Sprintf("%s:%d", timeline.Commentator, t.Late)
	}
	viewer, err := f.Viewer(t.Campaign, as)
	return Grant{Token: t.ID, Campaign: t.Campaign, Viewer: viewer, Expires: t.Expires}, err
}

// ID gives the ULID of a campaign.
func (f *Service) ID(campaign string) (string, error) {
	c, err := f.Find(campaign)
	return c.ID.String(), err
}
