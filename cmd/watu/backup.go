package main

import (
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/watu-ledger/watu/cmd/watu/internal/api"
	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/replay/kept"
)

func (t *tool) backupCommand() *cobra.Command {
	file, k := "", sealFlags{}
	c := t.orJSON(&cobra.Command{
		Use: "backup -o FILE", Short: "Write the whole ledger into one encrypted file", Args: cobra.NoArgs,
		Long: "Write the record, the campaigns' secrets and their boards into one file that\n" +
			"only the recipients can open, while the ledger is in use. That the heads printed\n" +
			"here come out of watu restore again is the proof that it is good. Where secrets\n" +
			"or boards are damaged or missing, nothing is written (exit code 3): an older\n" +
			"backup may still hold them.",
		Example: "  watu backup keygen -o KEYFILE\n  watu backup -o atlantic.watu --recipient age1…",
		RunE: func(c *cobra.Command, _ []string) error {
			if file == "" {
				return input("where to? -o FILE")
			}
			keys, err := k.keys(t)
			if err != nil {
				return err
			}
			return t.with(c.Context(), "backup", false, func(o *api.Client) error {
				return t.backup(c.Context(), o, keys, file)
			})
		},
	})
	c.Flags().StringVarP(&file, "output", "o", "", "the `file` to write; one that is there is replaced, when the new "+
		"one is whole")
	k.add(c)
	c.AddCommand(t.keygenCommand())
	return c
}

func (t *tool) backup(ctx context.Context, o *api.Client, keys maintenance.Keys, file string) error {
	var done *maintenance.BackedUp
	written, err := written(file, func(w io.Writer) error {
		piece := func(l api.ProgressLine[maintenance.BackedUp]) error { _, err := w.Write(l.Piece); return err }
		result, err := api.WithProgress(ctx, o, http.MethodPost, nil, keys, piece, "backup")
		done = result
		return err
	})
	if err != nil {
		return err
	}
	done.File = written
	if t.asJSON {
		return t.json(done)
	}
	t.printBackedUp(*done)
	t.page.Text("What proves a backup is restoring it, on another machine: watu restore %s", quoted(file))
	return nil
}

func (t *tool) printBackedUp(done maintenance.BackedUp) {
	t.page.Text("Ledger %s is in %s: %s.", done.Ledger, done.File, words.Count(done.Events, "event"))
	t.printHeads(done.Campaigns)
}

// written writes a file for its owner alone: whole and durably, or not at all.
func written(file string, write func(io.Writer) error) (string, error) {
	path, err := filepath.Abs(file)
	if err != nil {
		return "", err
	}
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".new-") // of mode 0600
	if err != nil {
		return "", input("cannot write %s: %v", file, cause(err))
	}
	defer os.Remove(f.Name())
	if err := errors.Join(write(f), f.Sync(), f.Close()); err != nil {
		return "", err
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return "", input("%v", err)
	}
	return path, kept.Sync(filepath.Dir(path))
}

func (t *tool) restoreCommand() *cobra.Command {
	k := openFlags{}
	c := t.orJSON(&cobra.Command{
		Use: "restore FILE --identity KEYFILE --dir NEW", Short: "Make a ledger of a backup", Args: takes("FILE"),
		Long: "Make a ledger of a backup in a directory that is new or empty. With --nats it\n" +
			"takes what the stream there has beyond the backup, too. Equal heads are the\n" +
			"proof that every event is the same. The next command in each campaign begins a\n" +
			"new epoch, since whoever has the backup knows the dice of the old one.",
		Example: "  watu restore atlantic.watu --identity KEYFILE --dir new --nats nats://host",
		RunE: func(c *cobra.Command, args []string) error {
			keys, err := k.identities(t)
			if err != nil {
				return err
			}
			dir, o, err := t.opening("restore")
			if err != nil {
				return err
			}
			f, err := waited(t, args[0], func() (*os.File, error) { return opened(args[0]) })
			if err != nil {
				return err
			}
			defer f.Close()
			done, err := maintenance.Restore(c.Context(), dir, f, keys, o)
			if err != nil && done.Directory == "" {
				return err
			}
			if !t.asJSON {
				t.printRestored(done, o.Dir)
			} else if err := t.json(done); err != nil {
				return err
			}
			if err != nil {
				return err
			}
			return maintenance.DamageProblem(done.Damaged, "restored, but the backup holds it so: %s",
				maintenance.DamageText(done.Damaged))
		},
	})
	k.add(c)
	return c
}

// printRestored says what was restored, and what is next with the directory's flag.
func (t *tool) printRestored(done maintenance.Restored, flag string) {
	t.page.Text("Ledger %s is in %s: %s from the backup.", done.Ledger, done.Directory,
		words.Count(done.Backup, "event"))
	t.printRecovered(done.FromStream, "stream")
	t.printHeads(done.Campaigns)
	t.page.Text("The next command in each campaign begins a new epoch.")
	switch {
	case done.Embedded:
		t.page.Text("The old host must not go on with this ledger: its stream is embedded, and nothing stops it there.")
		t.page.Text("Events after the backup are not here. If stream/ of the old directory is left, copy it into " +
			"this one, and then:")
		t.page.Line("  watu repair --from-stream" + flag)
	case done.FromStream == nil:
		t.page.Text("Events after the backup are not here. If a stream has them:")
		t.page.Line("  watu repair --from-stream" + flag + " --nats URL")
	}
}

func (t *tool) handoverCommand() *cobra.Command {
	file, k := "", sealFlags{}
	c := t.orJSON(&cobra.Command{
		Use: "handover -o FILE", Short: "Write a last backup, and take no more steps: another host goes on",
		Args: cobra.NoArgs,
		Long: "Publish what is recorded, write a backup, and make this ledger read-only for\n" +
			"good: another host goes on with watu restore. No server may hold the directory.",
		RunE: func(c *cobra.Command, _ []string) error {
			if file == "" {
				return input("where to? -o FILE")
			}
			keys, err := k.keys(t)
			if err != nil {
				return err
			}
			dir, o, err := t.opening("handover")
			if err != nil {
				return err
			}
			o.Steps = true
			done, err := maintenance.Handover(c.Context(), dir, keys,
				func(write func(io.Writer) error) (string, error) {
					return written(file, write)
				}, o)
			if err != nil {
				return err
			}
			if t.asJSON {
				return t.json(done)
			}
			t.printBackedUp(done)
			t.page.Text("This ledger takes no more steps. Go on elsewhere: watu restore %s",
				quoted(filepath.Base(file)))
			return nil
		},
	})
	c.Flags().StringVarP(&file, "output", "o", "", "the `file` to write")
	k.add(c)
	return c
}
