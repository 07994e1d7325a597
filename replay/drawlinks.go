package replay

import (
	"slices"
	"strings"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/replay/bundle"
	"github.com/watu-ledger/watu/rules/chance"
)

// DrawLinks gives, of the first upTo events of a campaign and for each of the sides, the newest used link
// of each of its chains of draws: with it every draw of that side up to then can be repeated by anyone, so
// it is for that side and the umpire alone. A link leads to the earlier ones of its chain and to no later one,
// and every side and epoch has a chain of its own: neither draws to come nor those of another side follow
// from it. An epoch that was begun elsewhere, with a secret that is not here, has none.
func (u *Umpire) DrawLinks(id ulid.ULID, upTo uint64, sides []string) ([]bundle.Link, error) {
	secrets, _, err := u.held(id)
	if err != nil {
		return nil, err
	}
	used, err := u.drawings(id, upTo)
	if err != nil {
		return nil, err
	}
	var list []bundle.Link
	for _, d := range used {
		side, _ := strings.CutPrefix(d.anchor.Chain, chance.Draws(""))
		if d.used == 0 || !slices.Contains(sides, side) {
			continue
		}
		c := secrets.Chain(id, d.epoch, d.anchor.Chain, d.anchor.Length)
		if c.Anchor() != d.anchor.Anchor {
			continue
		}
		link := events.Link{Chain: d.anchor.Chain, Position: d.used, Link: c.Link(d.used)}
		list = append(list, bundle.Link{Epoch: d.epoch, Link: link})
	}
	return list, nil
}

// drawing is a chain of draws in an epoch, and how many of its links were used.
type drawing struct {
	epoch  uint64
	anchor events.Anchor
	used   uint64
}

// drawings finds the chains of draws of a campaign's first events.
func (u *Umpire) drawings(id ulid.ULID, upTo uint64) ([]drawing, error) {
	var list []drawing
	for e, err := range events.Decoded(u.ledger.Walk(id, 0, upTo)) {
		if err != nil {
			return nil, err
		}
		switch p, _ := events.PayloadOf(e); p := p.(type) {
		case *events.EpochBegun:
			for _, a := range p.Chains {
				if strings.HasPrefix(a.Chain, chance.Draws("")) && a.Length >= 1 && a.Length <= chance.MaxLength {
					list = append(list, drawing{epoch: e.Epoch, anchor: a})
				}
			}
		case *events.DrawDeclared:
			for i := range list {
				d := &list[i]
				if d.epoch == e.Epoch && d.anchor.Chain == p.Source.Chain && p.Source.Position <= d.anchor.Length {
					d.used = max(d.used, p.Source.Position)
				}
			}
		}
	}
	return list, nil
}
