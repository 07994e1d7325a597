package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"

	"github.com/oklog/ulid/v2"
	"github.com/spf13/cobra"

	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/cmd/watu/internal/witness"
	"github.com/watu-ledger/watu/events/tree"
)

// witnessAt is where a witness answers if nobody says otherwise.
const witnessAt = "127.0.0.1:4849"

// witnessFlags are those of watu witness.
type witnessFlags struct {
	ledgers             []string
	address, name, url  string
	certificate, tlsKey string
	notes               string
}

func (t *tool) witnessCommand() *cobra.Command {
	var f witnessFlags
	c := &cobra.Command{
		Use: "witness DIRECTORY --ledger KEY", Short: "Cosign the checkpoints of other people's ledgers until Ctrl-C",
		Args: takes("DIRECTORY"),
		Long: "Answer ledgers that ask for a cosignature (C2SP tlog-witness). Of each campaign\n" +
			"the witness keeps the largest checkpoint that it has seen, and cosigns only\n" +
			"what extends it, with the time of its clock. Two records of one campaign are\n" +
			"written into DIRECTORY as a fork, with both notes. A new DIRECTORY gets a key.\n" +
			"What is printed is a policy that asks for this witness, for\n" +
			"watu checkpoint --witnesses. KEY is printed by watu status. Run it on\n" +
			"another machine than the ledger's, for somebody whom its players trust.",
		Example: "  watu witness arbiter --ledger watu/01BX5…+e6b800ee+AQOh… > policy.txt",
		RunE: func(c *cobra.Command, args []string) error {
			if f.notes != "" {
				return t.witnessNotes(args[0], f.notes)
			}
			return t.witness(c.Context(), args[0], f)
		},
	}
	c.Flags().StringArrayVar(&f.ledgers, "ledger", nil, "the `KEY` of a ledger whose checkpoints are cosigned; may be "+
		"repeated")
	c.Flags().StringVar(&f.address, "addr", witnessAt, "`host:port` where it answers; port 0 for any")
	c.Flags().StringVar(&f.name, "name", "", "`NAME` of a new key (default the machine's)")
	c.Flags().StringVar(&f.url, "url", "", "`URL` by which ledgers reach it, as behind a proxy")
	c.Flags().StringVar(&f.certificate, "tls-cert", "", "PEM `file` of the certificate, and of those above it, for TLS")
	c.Flags().StringVar(&f.tlsKey, "tls-key", "", "PEM `file` of its key")
	c.Flags().StringVar(&f.notes, "notes", "", "print what was cosigned of the campaign with this `ULID`, and end")
	return c
}

// witnessNotes prints the notes of a campaign that a witness cosigned.
func (t *tool) witnessNotes(dir, campaign string) error {
	id, err := ulid.ParseStrict(campaign)
	if err != nil {
		return input("--notes takes the ULID of a campaign, which a checkpoint has in its first line, not %q", campaign)
	}
	list, err := witness.Notes(dir, id)
	for _, note := range list {
		for line := range strings.Lines(note) {
			t.page.Line(strings.TrimSuffix(line, "\n"))
		}
		t.page.Line("")
	}
	if err == nil && len(list) == 0 {
		err = input("%s has no note of campaign %s", dir, campaign)
	}
	return err
}

// options reads the flags.
func (f witnessFlags) options(say func(string)) (o witness.Options, err error) {
	if len(f.ledgers) == 0 {
		return o, input("whose checkpoints are cosigned? give --ledger KEY, as the umpire's watu status prints it")
	}
	o = witness.Options{Name: f.name, Say: say}
	for _, text := range f.ledgers {
		v, err := tree.ParseVerifier(text)
		if err != nil {
			return o, input("--ledger takes the KEY that watu status prints: %v", err)
		}
		o.Ledgers = append(o.Ledgers, v)
	}
	if o.Name == "" {
		o.Name, err = os.Hostname()
	}
	return o, err
}

// listen takes the address, with TLS where a certificate is given.
func (f witnessFlags) listen() (l net.Listener, scheme string, err error) {
	if (f.certificate == "") != (f.tlsKey == "") {
		return nil, "", input("--tls-cert and --tls-key belong together: give both or none")
	}
	var pair tls.Certificate
	if f.certificate != "" {
		if pair, err = tls.LoadX509KeyPair(f.certificate, f.tlsKey); err != nil {
			return nil, "", input("--tls-cert and --tls-key: %v", err)
		}
	}
	if _, _, err := net.SplitHostPort(f.address); err != nil {
		return nil, "", input("--addr takes host:port, not %q", f.address)
	}
	if l, err = net.Listen("tcp", f.address); err != nil {
		return nil, "", problem.New(problem.Failed, "cannot listen on %s: %v; choose another address with --addr",
			f.address, err)
	}
	if f.certificate == "" {
		return l, "http://", nil
	}
	return tls.NewListener(l, &tls.Config{MinVersion: tls.VersionTLS12, Certificates: []tls.Certificate{pair}}),
		"https://", nil
}

func (t *tool) witness(ctx context.Context, dir string, f witnessFlags) error {
	o, err := f.options(t.say)
	if err != nil {
		return err
	}
	w, err := witness.Open(dir, o)
	switch {
	case errors.Is(err, witness.ErrName):
		return input("--name: %v", err)
	case errors.Is(err, witness.ErrUnsound):
		return problem.New(problem.Unverified, "%v", err)
	case errors.Is(err, witness.ErrHeld):
		return problem.New(problem.Unreachable, "%v", err)
	case err != nil:
		return err
	}
	return t.closed(t.witnessing(ctx, w, f), w.Close)
}

// witnessing answers, after it printed the policy that asks for this witness.
func (t *tool) witnessing(ctx context.Context, w *witness.Witness, f witnessFlags) error {
	name := w.Verifier().Name()
	if f.name != "" && f.name != name {
		return input("--name is for a new key, and the one here is named %s", name)
	}
	l, scheme, err := f.listen()
	if err != nil {
		return err
	}
	if at, is := l.Addr().(*net.TCPAddr); f.url == "" && is && at.IP.IsUnspecified() {
		return errors.Join(input("by which name do ledgers reach it? give --url %sNAME:%d", scheme, at.Port), l.Close())
	}
	if f.url == "" {
		f.url = scheme + l.Addr().String()
	}
	policy := fmt.Sprintf("witness %s %s %s\nquorum %[1]s", name, w.Verifier(), f.url)
	if _, err := tree.ParsePolicy(policy); err != nil {
		return errors.Join(input("%v", err), l.Close())
	}
	t.page.Line("# fingerprint " + w.Verifier().Fingerprint())
	for line := range strings.Lines(policy) {
		t.page.Line(strings.TrimSpace(line))
	}
	t.page.Line("# serving until Ctrl-C")
	return w.Serve(ctx, l)
}
