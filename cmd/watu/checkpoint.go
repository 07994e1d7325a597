package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"net/url"
	"os"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/watu-ledger/watu/cmd/watu/internal/api"
	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/cmd/watu/internal/witness"
	"github.com/watu-ledger/watu/events/tree"
	"github.com/watu-ledger/watu/events/words"
)

// checkpointFlags are those of watu checkpoint.
type checkpointFlags struct {
	events                  uint64
	compare, key, witnesses string
	prove, file             string
}

func (t *tool) checkpointCommand() *cobra.Command {
	var f checkpointFlags
	c := t.orJSON(&cobra.Command{
		Use: "checkpoint CAMPAIGN", Short: "State in one signed hash which events a campaign has",
		Args: takes("CAMPAIGN"),
		Long: "Print a note that names the campaign, the number of its events and the root of\n" +
			"their Merkle tree, signed by the ledger's key. It is short enough for a forum\n" +
			"or a message. Whoever keeps it can show later that the ledger stated it.\n" +
			"--compare takes such a note, from a file or - for standard input, and says\n" +
			"whether this campaign still begins with the events that it states. Where it\n" +
			"does not, both notes are written into a file, and the exit code is 4.\n" +
			"--witnesses has those whom a policy names cosign the checkpoint, at the time of\n" +
			"their clocks (watu witness prints such a policy).\n" +
			"--prove writes the proof of one event: the event, the hashes between it and the\n" +
			"root, and the checkpoint (C2SP tlog-proof). watu verify --proof checks it with\n" +
			"the ledger's key and nothing else of the campaign.",
		Example: "  watu checkpoint atlantic-1939\n  watu checkpoint atlantic-1939 --compare note.txt",
		RunE: func(c *cobra.Command, args []string) error {
			return t.with(c.Context(), "checkpoint", false, func(o *api.Client) error {
				switch {
				case f.prove != "":
					return t.prove(c.Context(), o, args[0], f)
				case f.compare != "" && f.witnesses != "":
					return input("--compare takes a checkpoint, and --witnesses makes one: leave one of them out")
				case f.witnesses != "":
					return t.cosignCheckpoint(c.Context(), o, args[0], f)
				case f.compare != "":
					return t.compareCheckpoint(c.Context(), o, args[0], f)
				}
				return t.checkpoint(c.Context(), o, args[0], f)
			})
		},
	})
	c.Flags().Uint64Var(&f.events, "events", 0, "of the first so `many` events, not of all")
	c.Flags().StringVar(&f.compare, "compare", "", "a `file` with a checkpoint that was seen before")
	c.Flags().StringVar(&f.key, "key", "", "the `key` that signed that one, if it is not this ledger's")
	c.Flags().StringVar(&f.witnesses, "witnesses", "", "a `file` with the policy whose witnesses cosign it")
	c.Flags().StringVar(&f.prove, "prove", "", "the number of an `event`: write the proof that it is there")
	c.Flags().StringVarP(&f.file, "output", "o", "-", "the `file` that --prove writes; - is standard output")
	c.MarkFlagsMutuallyExclusive("prove", "compare")
	c.MarkFlagsMutuallyExclusive("prove", "json")
	return c
}

// checkpointAt asks for the checkpoint of a campaign's first events, of all for 0.
func checkpointAt(ctx context.Context, o *api.Client, campaign string, n uint64) (k maintenance.Checkpoint, err error) {
	q := url.Values{}
	if n > 0 {
		q.Set("events", strconv.FormatUint(n, 10))
	}
	err = o.Query(ctx, &k, q, "campaigns", campaign, "checkpoint")
	return k, err
}

func (t *tool) checkpoint(ctx context.Context, o *api.Client, campaign string, f checkpointFlags) error {
	k, err := checkpointAt(ctx, o, campaign, f.events)
	return t.answer(err, k, func() { t.printCheckpoint(k) })
}

func (t *tool) printCheckpoint(k maintenance.Checkpoint) {
	t.page.Line(k.Note)
	if k.Unsigned != "" {
		t.page.Text("It is not signed: %s.", k.Unsigned)
		return
	}
	t.page.Line("Signed by the key " + k.Key)
	t.page.Text("whose fingerprint is %s.", k.Fingerprint)
	for _, by := range k.Seats {
		t.page.Text("Cosigned by %s at %s, with the key of the fingerprint %s.", by.Seat,
			time.Unix(by.Time, 0).UTC().Format(time.RFC3339), by.Fingerprint)
	}
	if k.Cosigned > 0 && len(k.Seats) == 0 {
		t.page.Text("Seats cosigned the first %d events: watu checkpoint %s --events %[1]d", k.Cosigned,
			quoted(k.Campaign))
	}
}

// cosignedAt has witnesses cosign a checkpoint. The server that holds the ledger asks them.
func (t *tool) cosignedAt(ctx context.Context, o *api.Client, campaign string, f checkpointFlags) (
	k maintenance.Cosigned, err error,
) {
	name, text, err := t.readText(f.witnesses)
	if err != nil {
		return k, err
	}
	if _, err := tree.ParsePolicy(text); err != nil {
		return k, inFile(name, problem.New(problem.Input, "%v", err))
	}
	err = o.Post(ctx, api.Cosigning{Events: f.events, Policy: text}, &k, "campaigns", campaign, "cosignatures")
	for _, why := range k.Failed {
		t.say("no cosignature of " + why)
	}
	return k, err
}

// cosignCheckpoint prints a checkpoint that witnesses cosigned.
func (t *tool) cosignCheckpoint(ctx context.Context, o *api.Client, campaign string, f checkpointFlags) error {
	k, err := t.cosignedAt(ctx, o, campaign, f)
	return t.answer(err, k, func() {
		t.printCheckpoint(k.Checkpoint)
		for _, by := range k.Cosignatures {
			t.page.Text("Cosigned by %s at %s.", by.Witness, time.Unix(by.Time, 0).UTC().Format(time.RFC3339))
		}
	})
}

// compareCheckpoint holds a checkpoint that somebody kept against the campaign as it is here.
func (t *tool) compareCheckpoint(ctx context.Context, o *api.Client, campaign string, f checkpointFlags) error {
	_, text, err := t.readText(f.compare)
	if err != nil {
		return err
	}
	here, err := checkpointAt(ctx, o, campaign, 0)
	if err != nil {
		return err
	}
	key := cmp.Or(f.key, here.Key)
	if key == "" {
		return input("this copy has no key to check the note with (%s): give the host's with --key", here.Unsigned)
	}
	by, err := tree.ParseVerifier(key)
	if err != nil {
		return input("--key: %v", err)
	}
	kept, err := tree.Parse(text, by)
	if tree.Unsigned(err) {
		return inFile(f.compare, problem.New(problem.Unverified, "%v", err))
	} else if err != nil {
		return inFile(f.compare, problem.New(problem.Input, "%v", err))
	}
	if id := kept.Campaign.String(); id != here.ID {
		return inFile(f.compare, problem.New(problem.Input, "it is a checkpoint of campaign %s, not of %s", id,
			here.Campaign))
	}
	if kept.Events <= here.Events {
		if here, err = checkpointAt(ctx, o, campaign, kept.Events); err != nil {
			return err
		}
		if here.Root == kept.Root {
			t.page.Text("Campaign %s begins with the %s of that checkpoint, signed by %s.", here.Campaign,
				words.Count(kept.Events, "event"), by.Name())
			return nil
		}
	}
	return t.writeFork(here, kept, text)
}

// writeFork keeps two checkpoints that do not fit: of another record, or of one that lost its end.
func (t *tool) writeFork(here maintenance.Checkpoint, kept tree.Checkpoint, text string) error {
	name, err := witness.WriteNotes("", witness.Fork, here.Campaign, kept.Events, text, here.Note)
	where := "both notes are in " + name
	if err != nil {
		where = fmt.Sprintf("the notes could not be written: %v", err)
	}
	if kept.Events > here.Events {
		return problem.New(problem.Diverged, "campaign %s has %s here, and that checkpoint states %d: the record "+
			"has lost its end, or is another; %s", here.Campaign, words.Count(here.Events, "event"), kept.Events, where)
	}
	return problem.New(problem.Diverged, "the first %d events of campaign %s are not those of that checkpoint: one of "+
		"the two records is forged, or they are a fork; %s", kept.Events, here.Campaign, where)
}

// prove writes the proof that a checkpoint holds an event.
func (t *tool) prove(ctx context.Context, o *api.Client, campaign string, f checkpointFlags) error {
	index, err := eventNumber(f.prove)
	if err != nil {
		return err
	}
	if _, err := os.Stat(f.file); err == nil && f.file != "-" {
		return input("%s is there already: name another file", f.file)
	}
	var k maintenance.Checkpoint
	if f.witnesses == "" {
		k, err = checkpointAt(ctx, o, campaign, f.events)
		if err == nil && f.events == 0 && k.Cosigned > index { // better one that somebody else vouches for
			k, err = checkpointAt(ctx, o, campaign, k.Cosigned)
		}
	} else {
		var by maintenance.Cosigned
		by, err = t.cosignedAt(ctx, o, campaign, f)
		k = by.Checkpoint
	}
	if err != nil {
		return err
	}
	if k.Unsigned != "" {
		return problem.New(problem.Unreachable, "nothing can be proven now: %s", k.Unsigned)
	}
	at := strconv.FormatUint(index, 10)
	var stored service.Proof
	var x maintenance.Inclusion
	err = o.Get(ctx, &stored, "campaigns", campaign, "events", at, "proof")
	if err == nil {
		q := url.Values{"events": {strconv.FormatUint(k.Events, 10)}}
		err = o.Query(ctx, &x, q, "campaigns", campaign, "events", at, "inclusion")
	}
	if err != nil {
		return err
	}
	p := tree.Proof{Index: index, Hashes: x.Proof, Note: k.Note}
	for _, e := range stored.Events {
		if e.Index == index {
			p.Event = e.Bytes
		}
	}
	if f.file == "-" {
		_, err := io.WriteString(t.out, p.String())
		return err
	}
	_, err = written(f.file, func(w io.Writer) error { _, err := io.WriteString(w, p.String()); return err })
	if err != nil {
		return err
	}
	t.page.Text("The proof of event #%d is in %s. Whoever has the ledger's key checks it:", index, f.file)
	t.page.Line("  watu verify --proof " + quoted(f.file) + " --key " + k.Key)
	return nil
}
