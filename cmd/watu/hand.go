package main

import (
	"context"
	"errors"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/cmd/watu/internal/seatfile"
	"github.com/watu-ledger/watu/events/words"
)

// hand is what `watu seat hand` prints with --json.
type hand struct {
	Version int             `json:"version"`
	Cards   []seatfile.Held `json:"cards"`
	Waiting int             `json:"waiting"` // draws whose round is still to come
}

func (t *tool) handCommand() *cobra.Command {
	return t.orJSON(&cobra.Command{
		Use: "hand SEAT-FILE", Short: "Draw what is due, and show the cards that the player holds",
		Args: takes("SEAT-FILE"),
		Long: "Draw what is due, and show the cards that the player of a seat holds, in a\n" +
			"campaign opened with --hands players. Nobody else knows them, the host neither.\n" +
			"A card that is played by watu play is opened to the host, and to everybody once\n" +
			"it lies on the table.",
		Example: "  watu seat hand anna.seat",
		RunE: func(c *cobra.Command, args []string) error {
			s, err := seatfile.Open(args[0])
			if err != nil {
				return err
			}
			if err := s.Rounds(t.roundsFrom()); err != nil {
				return err
			}
			v := hand{Version: maintenance.Version, Cards: []seatfile.Held{}}
			list, waiting, err := s.Hand(c.Context())
			v.Cards, v.Waiting = append(v.Cards, list...), waiting
			return t.answer(err, &v, func() { t.printHand(v) })
		},
	})
}

func (t *tool) printHand(v hand) {
	for _, h := range v.Cards {
		used := ""
		if h.Used {
			used = ", used"
		}
		t.page.Text("%s: %s%s", h.Side, h.Card, used)
	}
	switch {
	case v.Waiting > 0:
		t.page.Text("Draws that wait for their rounds: %d. Look again in some seconds.", v.Waiting)
	case len(v.Cards) == 0:
		t.page.Text("No cards are held.")
	}
}

func (t *tool) seatExportCommand() *cobra.Command {
	out := ""
	c := &cobra.Command{
		Use: "export SEAT-FILE -o FILE", Short: "Save the player's own copy of the campaign",
		Args: takes("SEAT-FILE"),
		Long: "Save the player's own copy of the campaign, as the host showed it, with the\n" +
			"largest checkpoint that this player saw. Anybody checks it by watu-verify,\n" +
			"without the host. It is for the public: no secret is in it, and no board. Of a\n" +
			"campaign on a board take the host's file, and check it against your own note.",
		Example: "  watu seat export anna.seat -o anna.watu\n" +
			"  watu-verify anna.watu --head ben.note",
		RunE: func(c *cobra.Command, args []string) error {
			switch _, err := os.Stat(out); {
			case out == "":
				return input("where to? -o FILE.watu")
			case err == nil:
				return input("%s is there already: name another file", out)
			}
			s, err := seatfile.Open(args[0])
			if err != nil {
				return err
			}
			file, head, err := s.Export(c.Context())
			if err == nil {
				_, err = written(out, func(w io.Writer) error { _, err := w.Write(file); return err })
			}
			if err == nil {
				t.page.Text("%s: %s. Check it against the note of another player (watu seat show FILE --note): "+
					"watu-verify %[1]s --head NOTE", quoted(out), words.Count(int(head.Events), "event"))
			}
			return err
		},
	}
	c.Flags().StringVarP(&out, "output", "o", "", "`FILE` to write")
	return c
}

func (t *tool) declassifyCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "declassify SEAT-FILE", Short: "Disclose all that was secret of a player's sides, at the end",
		Args: takes("SEAT-FILE"),
		Long: "Disclose, at the end of a campaign opened with --hands players, all that was\n" +
			"secret of the sides of a seat, and the links by which its player drew. From then\n" +
			"on anybody repeats his draws: watu verify does. Until then they are not checked.\n" +
			"It cannot be taken back.",
		Example: "  watu declassify anna.seat",
		RunE:    func(c *cobra.Command, args []string) error { return t.declassify(c.Context(), args[0]) },
	}
	return c
}

func (t *tool) declassify(ctx context.Context, path string) error {
	s, err := seatfile.Open(path)
	if err != nil {
		return err
	}
	list, err := s.Declassify(ctx)
	for _, done := range list {
		t.printSubmitted(done)
		err = errors.Join(err, t.stopped(done))
	}
	return err
}
