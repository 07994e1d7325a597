package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"filippo.io/age"
	"github.com/spf13/cobra"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/replay/arbiter"
	"github.com/watu-ledger/watu/replay/bundle"
)

// opensHands is what `watu arbitrate` was asked for.
type opensHands struct {
	key openFlags
	out string
}

func (t *tool) arbitrateCommand() *cobra.Command {
	var x opensHands
	c := &cobra.Command{
		Use:   "arbitrate FILE.watu --identity KEYFILE -o OPENED.watu",
		Short: "Open, as arbiter, the hands that players drew", Args: takes("FILE.watu"),
		Long: "Open the hands of players in a file that the host made for the umpire, as the\n" +
			"arbiter whom the campaign names (campaign new --arbiter). The file that is\n" +
			"written holds the cards, and the links by which they were drawn: watu verify\n" +
			"repeats the draws by them. Else nobody can before the players declassify.",
		Example: "  watu arbitrate umpire.watu --identity arbiter.key -o opened.watu\n" +
			"  watu verify opened.watu",
		RunE: func(c *cobra.Command, args []string) error { return t.arbitrate(args[0], x) },
	}
	c.Flags().StringVar(&x.key.identity, "identity", "", "the key `file` that watu backup keygen wrote")
	c.Flags().StringVarP(&x.out, "output", "o", "", "`FILE` to write")
	return c
}

func (t *tool) arbitrate(from string, x opensHands) error {
	switch _, err := os.Stat(x.out); {
	case x.out == "":
		return input("where to? -o OPENED.watu")
	case x.key.identity == "":
		return input("what opens it? --identity KEYFILE")
	case err == nil:
		return input("%s is there already: name another file", x.out)
	}
	file, err := t.readRecord(from)
	if err != nil {
		return err
	}
	identities, err := x.key.identities(t)
	if err != nil {
		return err
	}
	opened, failed, err := openHands(file, identities)
	if err != nil {
		return err
	}
	for _, why := range failed {
		t.say(why)
	}
	if opened == 0 {
		return input("%s holds no hand that this key opens: the host makes such a file by watu export --for umpire",
			from)
	}
	if _, err := written(x.out, func(w io.Writer) error { _, err := w.Write(file.Encode()); return err }); err != nil {
		return err
	}
	t.page.Text("%s are opened in %s. Give it to nobody. Next: watu verify %s", words.Count(opened, "hand"), x.out,
		quoted(x.out))
	return nil
}

// openHands puts what the arbiter can open of hands into a file: their cards, and of each chain the newest link.
func openHands(file *bundle.File, identities []age.Identity) (opened int, failed []string, err error) {
	known, declared := map[events.Ref]string{}, map[uint64]events.Source{}
	for _, o := range file.Openings {
		known[events.Ref{Index: o.Index, Slot: o.Slot}] = o.Fact
	}
	for _, text := range file.Events {
		e, err := events.Decode(text)
		if err != nil {
			return 0, nil, err
		}
		var draw events.DrawDeclared
		if e.Read(&draw) {
			declared[e.Index] = draw.Source
		}
		var hand events.CardsDrawn
		sealed, ok := known[events.Ref{Index: e.Index, Slot: events.SlotArbiter}]
		if !ok || !e.Read(&hand) {
			continue
		}
		h, err := arbiter.Open(sealed, identities)
		var list []events.Opening
		if err == nil {
			list, err = cardsOf(&e, h, declared[hand.Declared])
		}
		if err != nil {
			failed = append(failed, fmt.Sprintf("the hand of %s, #%d: %v", e.Side, e.Index, err))
			continue
		}
		opened++
		for _, o := range list {
			if _, here := known[events.Ref{Index: o.Index, Slot: o.Slot}]; !here {
				file.Openings = append(file.Openings, o)
			}
		}
		file.Links = withLink(file.Links, bundle.Link{Epoch: e.Epoch, Link: h.Link})
	}
	return opened, failed, nil
}

// cardsOf opens what an event commits to, by a hand drawn by a link. It fails for what does not fit.
func cardsOf(e *events.Event, h arbiter.Hand, by events.Source) (list []events.Opening, err error) {
	if (events.Source{Chain: h.Link.Chain, Position: h.Link.Position}) != by {
		return nil, errors.New("its player encrypted another link than the draw names")
	}
	place := events.Place{Campaign: e.Campaign, Epoch: e.Epoch, Command: e.Command}
	for _, k := range events.Cards(e) {
		at := slices.IndexFunc(h.Cards, func(c arbiter.Card) bool { return c.Slot == k.Slot })
		if place.Slot = k.Slot; at < 0 || !events.Opens(k.Hash, place, h.Cards[at].Salt, h.Cards[at].Fact) {
			return nil, fmt.Errorf("its player encrypted what does not open %q", k.Slot)
		}
		card := h.Cards[at]
		list = append(list, events.Opening{Index: e.Index, Slot: k.Slot, Salt: card.Salt, Fact: card.Fact})
	}
	return list, nil
}

// withLink keeps the newest link of each chain: the earlier ones follow from it.
func withLink(list []bundle.Link, l bundle.Link) []bundle.Link {
	at := slices.IndexFunc(list, func(x bundle.Link) bool { return x.Epoch == l.Epoch && x.Chain == l.Chain })
	switch {
	case at < 0:
		return append(list, l)
	case list[at].Position < l.Position:
		list[at] = l
	}
	return list
}
