package api

import (
	"cmp"
	"context"
	"net/http"

	"github.com/watu-ledger/watu/cmd/watu/internal/seats"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
)

// How large may be what somebody sends of whom nothing is known yet, in bytes.
const (
	mostJoining = 16 << 10
	mostSigned  = 512 << 10
)

// signing is the input of an operation for players who sign.
type signing[B any] struct {
	CampaignInput
	Body B
}

// stranger is what anybody may send. It finds out cheaply whether he is who he says.
type stranger interface {
	Stranger(f *service.Service, campaign string) error
}

// signed are the operations of players who sign: they need no token.
func (x *api) signed(t *table) {
	vouch(x, t, mostJoining, "join", "/campaigns/{c}/keys", "Bring the key of a seat",
		"The player of a seat brings the key with which he will sign, by the code of the umpire's invitation and a "+
			"command that the key signed. What is refused leaves the invitation unused.", seats.Join)
	vouch(x, t, mostSigned, "form", "/campaigns/{c}/forms", "What a player has to sign of an entry",
		"How the record is to show the entry, with what it keeps secret as commitments. Who asks signs the entry as "+
			"it is (DSSE, application/vnd.watu.inquiry+json); nothing is recorded.", seats.FormOf)
	vouch(x, t, mostSigned, "signed", "/campaigns/{c}/signed", "Enter what a player signed",
		"A command in the envelope of its player (DSSE, application/vnd.watu.command+json), with the openings of what "+
			"it commits to. It is heard once, however often it comes.", seats.Submit)
	vouch(x, t, mostJoining, "order", "/campaigns/{c}/orders", "Give a standing order",
		"An order in the envelope of its player (DSSE, application/vnd.watu.order+json) answers each open question to "+
			"a side that has its option, until its time is over. It takes the place of the side's last one; one "+
			"without an answer takes that back. It is kept beside the log, and stands there once it has "+
			"answered.", seats.Stand)
}

// vouch adds something to say for whoever signs it. Who did not sign it is turned away at a gate of his own, before
// anything is looked up.
func vouch[B stranger, O any](x *api, t *table, most int64, id, path, summary, description string,
	do func(*service.Service, string, B) (O, error)) {
	say(t, id, path, summary, description, func(e *exchange, in *signing[B]) (out O, err error) {
		e.keep = never
		if !x.owned {
			failed := x.crowd.DoStranger(e.request.Context(), func() { err = in.Body.Stranger(x.service, in.C) })
			if err = cmp.Or(failed, err); err != nil {
				return out, err
			}
		}
		err = x.hears(e, timeline.Viewer{}, true, func(context.Context) error {
			out, err = do(x.service, in.C, in.Body)
			return err
		})
		return out, err
	})
	last := &(*t)[len(*t)-1]
	last.Security, last.MaxBodyBytes = []map[string][]string{{}}, most
}

// invited gives out an invitation, for the owner alone.
func (x *api) invited(r *http.Request, in seats.Invite) (any, error) {
	return seats.NewInvitation(r.Context(), x.service, r.PathValue("c"), in)
}
