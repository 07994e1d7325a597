package main

import (
	"cmp"
	"context"

	"github.com/spf13/cobra"

	"github.com/watu-ledger/watu/cmd/internal/terminal"
	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/events/words"
)

func (t *tool) repairCommand() *cobra.Command {
	ways, copied := map[string]*bool{}, ""
	c := t.orJSON(&cobra.Command{
		Use: "repair --WAY", Short: "Mend a ledger whose copies differ, or that lost a secret", Args: cobra.NoArgs,
		Long: "Mend a ledger that does not start because its record, its checkpoint and its\n" +
			"stream differ, or that lost a secret. Nobody else may hold the directory. WAY\n" +
			"is one of from-stream, from-copy, from-record, accept-loss, fresh-secrets.\n" +
			"Begin with --from-stream, which loses nothing; the others say what they would\n" +
			"lose, and want --yes.",
		RunE: func(c *cobra.Command, _ []string) error {
			way := ""
			for name, chosen := range ways {
				if *chosen && way != "" {
					return input("--%s and --%s are two ways: name one", min(way, name), max(way, name))
				}
				if *chosen {
					way = name
				}
			}
			if copied != "" && way == "" {
				way = maintenance.FromCopy
			} else if copied != "" {
				return input("--%s and --%s are two ways: name one", min(way, maintenance.FromCopy),
					max(way, maintenance.FromCopy))
			}
			if way == "" {
				return input("how? begin with watu repair --from-stream, which loses nothing")
			}
			return t.repair(c.Context(), way, copied)
		},
	})
	for name, does := range map[string]string{
		maintenance.FromStream: "take back what the stream has and the record lacks",
		maintenance.FromRecord: "make the stream anew from the record; what the stream alone has is lost",
		maintenance.AcceptLoss: "give up for good what the record lacks",

		maintenance.FreshSecrets: "give up secrets that are damaged or lost, and go on with fresh ones",
	} {
		ways[name] = c.Flags().Bool(name, false, does)
	}
	c.Flags().StringVar(&copied, maintenance.FromCopy, "", "take back what a follower's copy in this `directory` has")
	return c
}

func (t *tool) repair(ctx context.Context, way, copied string) error {
	dir, o, err := t.opening("repair")
	if err != nil {
		return err
	}
	o.Copy = copied
	done, err := maintenance.Repair(ctx, dir, way, t.yes, o)
	if err != nil {
		if !t.asJSON {
			t.printRecovered(done.FromStream, source(done.Repair)) // what came back stays
		}
		return err
	}
	if t.asJSON {
		return t.json(done)
	}
	t.printRepaired(done)
	return nil
}

func (t *tool) printRepaired(done maintenance.Repaired) {
	t.page.Flow("stream  ", "        ", terminal.Plain(done.Stream))
	t.page.Flow("found   ", "        ", terminal.Plain(done.Found))
	t.page.labelled("now", done.Stands)
	t.printRecovered(done.FromStream, source(done.Repair))
	for _, l := range done.Lost {
		name := cmp.Or(l.Name, "a campaign without a name")
		t.page.Text("Given up: %s of %s (%s).", words.Count(l.Lost, "event"), name, l.ID)
	}
	switch {
	case done.Note != "":
		t.page.Text("%s", done.Note)
	case len(done.Lost) > 0:
		t.page.Text("Whoever saw what is lost knows its dice: the next command in each of these campaigns begins " +
			"a new epoch.")
	case done.FromStream == nil && done.Repair != maintenance.FromRecord:
		t.page.Text("The record is whole: there was nothing to mend.")
	}
	t.printHeads(done.Campaigns)
}

// source names what events came back from.
func source(way string) string {
	if way == maintenance.FromCopy {
		return "copy"
	}
	return "stream"
}
