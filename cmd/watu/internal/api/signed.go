package api

import (
	"context"
	"net/http"

	"github.com/watu-ledger/watu/cmd/watu/internal/seats"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
)

// signing is the input of an operation for players who sign.
type signing[B any] struct {
	CampaignInput
	Body B
}

// signed are the operations of players who sign: they need no token.
func (x *api) signed(t *table) {
	vouch(x, t, "join", "/campaigns/{c}/keys", "Bring the key of a seat",
		"The player of a seat brings the key with which he will sign, by the code of the umpire's invitation and a "+
			"command that the key signed.", seats.Join)
	vouch(x, t, "form", "/campaigns/{c}/forms", "What a player has to sign of an entry",
		"How the record is to show the entry, with what it keeps secret as commitments. Who asks signs the entry as "+
			"it is, without an id; nothing is recorded.", seats.FormOf)
	vouch(x, t, "signed", "/campaigns/{c}/signed", "Enter what a player signed",
		"A command in the envelope of its player (DSSE, application/vnd.watu.command+json), with the openings of what "+
			"it commits to. It is heard once, however often it comes.", seats.Submit)
}

// vouch adds something to say for whoever signs it.
func vouch[B, O any](x *api, t *table, id, path, summary, description string,
	do func(*service.Service, string, B) (O, error)) {
	say(t, id, path, summary, description, func(e *exchange, in *signing[B]) (out O, err error) {
		e.keep = never
		err = x.hears(e, timeline.Viewer{}, true, func(context.Context) error {
			out, err = do(x.service, in.C, in.Body)
			return err
		})
		return out, err
	})
	(*t)[len(*t)-1].Security = []map[string][]string{{}}
}

// invited gives out an invitation, for the owner alone.
func (x *api) invited(r *http.Request, in seats.Invite) (any, error) {
	_, found, err := x.recorded(r.PathValue("c"))
	if err != nil {
		return nil, err
	}
	k, err := x.service.Checkpoint(r.Context(), found, found.Events)
	if err != nil {
		return nil, err
	}
	return seats.NewInvitation(x.service, r.PathValue("c"), in, k.Key)
}
