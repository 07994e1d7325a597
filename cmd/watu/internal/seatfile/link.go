package seatfile

import (
	"net/netip"
	"net/url"
	"strings"
	"unicode"

	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
)

// mostLink is how long a link may be.
const mostLink = 4 << 10

// Invitation is what a link says.
type Invitation struct {
	Server   string // URL, without a path
	Campaign string // ULID
	Seat     string
	Code     string // a secret, good for one key
	Ledger   string // text of the ledger's key
}

// ParseLink reads a link.
func ParseLink(link string) (v Invitation, err error) {
	link = strings.TrimSpace(link)
	u, err := url.Parse(link)
	if err != nil || len(link) > mostLink {
		return v, noLink("it is no URL")
	}
	q, err := url.ParseQuery(u.EscapedFragment())
	if err != nil {
		return v, noLink("what stands behind its # does not read")
	}
	v = Invitation{u.Scheme + "://" + u.Host, q.Get("campaign"), q.Get("seat"), q.Get("code"), q.Get("ledger")}
	if err := checkServer(v.Server); err != nil {
		return v, err
	}
	if u.User != nil || u.Path != "/join" {
		return v, noLink("its path is not /join")
	}
	if v.Campaign == "" || v.Seat == "" || v.Code == "" || v.Ledger == "" {
		return v, noLink("it is cut short")
	}
	return v, nil
}

func noLink(why string) error {
	return problem.New(problem.Input, "this is no link of watu seat invite: %s", why)
}

// checkServer refuses the URL of a server by which anybody on the way could read along.
func checkServer(server string) error {
	u, err := url.Parse(server)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return noLink("it begins with https://, and names a server")
	}
	at, err := netip.ParseAddr(u.Hostname())
	if here := u.Hostname() == "localhost" || err == nil && at.IsLoopback(); u.Scheme == "http" && !here {
		return problem.New(problem.Input, "by http:// anybody on the way may read what you keep secret: ask for a "+
			"link with https://")
	}
	return nil
}

// FileName is what the file of a seat is called if nobody says otherwise.
func FileName(seat string) string {
	plain := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return '-'
	}, seat)
	return plain + ".seat"
}
