package access

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/watu-ledger/watu/cmd/watu/internal/service"
)

// WhileValid has next answer as long as all tokens hold that did when the request came. A stream ends so when one
// of them is revoked or expires: the page that listens comes back, looks again, and shows what is left to its
// reader.
func (d *Authenticator) WhileValid(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		texts, grants := d.open(r)
		until := earliest(grants)
		if len(texts) > 0 {
			ctx, cancel := context.WithCancel(r.Context())
			defer cancel()
			go func() {
				defer cancel()
				d.outlast(ctx, texts, until)
			}()
			r = r.WithContext(ctx)
		}
		next.ServeHTTP(w, r)
	})
}

// outlast returns when one of the tokens holds no more, or with the context.
func (d *Authenticator) outlast(ctx context.Context, texts []string, until time.Time) {
	expiry := time.NewTimer(time.Until(until))
	defer expiry.Stop()
	for {
		changed := d.service.TokensChanged() // before looking, so that nothing is missed
		if good, _ := d.holding(texts); len(good) < len(texts) {
			return
		}
		select {
		case <-changed:
		case <-expiry.C:
			return
		case <-ctx.Done():
			return
		}
	}
}

// open gives the tokens of a request that open something, and what.
func (d *Authenticator) open(r *http.Request) (good []string, grants []service.Grant) {
	if !private(r) {
		return nil, nil
	}
	texts := carried(r)
	if header := r.Header.Get("Authorization"); header != "" { // nothing of a cookie counts then
		_, text, _ := strings.Cut(header, " ")
		texts = []string{text}
	}
	return d.holding(texts)
}

// earliest is when the first of some tokens expires.
func earliest(grants []service.Grant) (until time.Time) {
	for _, g := range grants {
		if until.IsZero() || g.Expires.Before(until) {
			until = g.Expires
		}
	}
	return until
}

// TokenIDs gives the ids of the tokens of a request that open something, each once.
func (d *Authenticator) TokenIDs(r *http.Request) (ids []string) {
	_, grants := d.open(r)
	for _, g := range grants {
		if !slices.Contains(ids, g.Token) {
			ids = append(ids, g.Token)
		}
	}
	return ids
}

// HasValidToken reports whether a request brings a token that opens something.
func (d *Authenticator) HasValidToken(r *http.Request) bool { return len(d.TokenIDs(r)) > 0 }
