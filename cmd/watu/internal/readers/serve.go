package readers

import (
	"context"
	"net/http"
)

// Request is a request of some kind, and how it is answered.
type Request[T any] struct {
	Parameters []string // the parameters of its query
	Private    bool     // whoever asks brings a token: what he gets is for him alone
	Variant    string   // what the answer says beside, that no version counts
	Version    func(*http.Request) uint64

	// Draw makes the answer, and says whether it may be kept. The context of its request ends when nobody waits
	// any more.
	Draw func(*http.Request) (value T, keep bool, err error)
}

// Serve answers a request: whoever is the public gets what was answered before, as long as its version is the same. Who
// got an answer calls done when it is written. The error is a [ParameterError], [ErrBusy], [ErrLong], the request's
// context's, or Draw's.
func (a *Cache[T]) Serve(r *http.Request, q Request[T]) (value T, done func(), err error) {
	asked, err := CheckQuery(r.URL, q.Parameters...)
	if err != nil {
		return value, nil, err
	}
	if q.Private {
		return a.own(r, q.Draw)
	}
	there := r.Clone(context.Background()) // the drawing may outlast the request
	there.Method = http.MethodGet
	return a.Get(r, Key(r.Pattern, r.URL, asked)+q.Variant, func() uint64 { return q.Version(there) },
		func(ctx context.Context) (T, bool, error) { return q.Draw(there.Clone(ctx)) })
}
