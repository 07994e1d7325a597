// Package seatfile is the part of a player who signs for his seat, on his own machine: the file with his key, and how
// he enters something without having to believe the host.
//
// The file is sealed (package replay/kept) and for its owner alone. It holds the key, which ledger it is for, and the
// largest checkpoint that the player has seen: what he signs names a checkpoint that extends it, and a record that does
// not extend it is a fork, which is written out with both notes.
package seatfile

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"os"
	"reflect"
	"runtime"
	"strconv"
	"time"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/cmd/watu/internal/api"
	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/cmd/watu/internal/seats"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/envelope"
	"github.com/watu-ledger/watu/events/tree"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/kept"
	"github.com/watu-ledger/watu/rules"
)

// title is the first line of a player's file.
const title = "watu seat 1"

// most is how long the file may be.
const most = 1 << 20

// Seat is a player's seat at a campaign, as his file has it.
type Seat struct {
	Server   string `json:"server"`   // URL
	Campaign string `json:"campaign"` // ULID
	Name     string `json:"seat"`
	Ledger   string `json:"ledger"`         // text of the key that signs the campaign's checkpoints
	Key      string `json:"key"`            // text of the seat's own; a secret
	Head     string `json:"head,omitempty"` // note of the largest checkpoint seen

	path   string
	key    *tree.WitnessKey
	ledger tree.Verifier
	client *api.Client
}

// Link is what an invitation looks like: all that a player needs stands behind the #, which no browser sends.
func Link(server string, v seats.Invitation) string {
	q := url.Values{"campaign": {v.ID}, "seat": {v.Seat}, "code": {v.Code}, "ledger": {v.Ledger}}
	return server + "/join#" + q.Encode()
}

// linked reads a link.
func linked(link string) (s *Seat, code string, err error) {
	u, err := url.Parse(link)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return nil, "", problem.New(problem.Input, "this is no link of watu seat invite: it begins with https://")
	}
	if at, err := netip.ParseAddr(u.Hostname()); u.Scheme == "http" && (err != nil || !at.IsLoopback()) {
		return nil, "", problem.New(problem.Input, "by http:// anybody on the way may read what you keep secret: ask "+
			"for a link with https://")
	}
	q, err := url.ParseQuery(u.EscapedFragment())
	if err != nil {
		return nil, "", problem.New(problem.Input, "this is no link of watu seat invite: %v", err)
	}
	s = &Seat{Server: u.Scheme + "://" + u.Host, Campaign: q.Get("campaign"), Name: q.Get("seat"),
		Ledger: q.Get("ledger")}
	if code = q.Get("code"); code == "" || s.Name == "" {
		return nil, "", problem.New(problem.Input, "this is no link of watu seat invite: it is cut short")
	}
	return s, code, nil
}

// ready reads what the file says.
func (s *Seat) ready() (err error) {
	if _, err = ulid.ParseStrict(s.Campaign); err != nil {
		return fmt.Errorf("campaign: %w", err)
	}
	if s.ledger, err = tree.ParseVerifier(s.Ledger); err != nil {
		return fmt.Errorf("ledger: %w", err)
	}
	if s.key, err = tree.ParseWitnessKey(s.Key); err != nil {
		return fmt.Errorf("key: %w", err)
	}
	if s.Head != "" {
		if _, err := tree.Parse(s.Head, s.ledger); err != nil {
			return fmt.Errorf("head: %w", err)
		}
	}
	server, err := url.Parse(s.Server)
	if err == nil {
		s.client = api.Guest(server)
	}
	return err
}

// Open reads a player's file.
func Open(path string) (*Seat, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, problem.New(problem.Input, "%s: %v; watu join makes it", path, errors.Unwrap(err))
	}
	if info.Mode().Perm()&0o077 != 0 && runtime.GOOS != "windows" {
		return nil, problem.New(problem.Unverified, "others may read or write %s: chmod 600 %[1]s", path)
	}
	text, err := kept.Read(path, most)
	if err != nil {
		return nil, err
	}
	body, sealed, err := kept.Unseal(title, text)
	s := &Seat{path: path}
	if err == nil && !sealed {
		err = fmt.Errorf("it does not begin with %q", title)
	}
	if err == nil {
		d := json.NewDecoder(bytes.NewReader(body))
		d.DisallowUnknownFields()
		err = d.Decode(s)
	}
	if err == nil {
		err = s.ready()
	}
	if err != nil {
		return nil, problem.New(problem.Unverified, "%s is not the file of a seat: %v", path, err)
	}
	return s, nil
}

// text is the file.
func (s *Seat) text() ([]byte, error) {
	body, err := json.MarshalIndent(s, "", "  ")
	return kept.Seal(title, body), err
}

// Fingerprint is that of the seat's key, for people to compare.
func (s *Seat) Fingerprint() string { return s.key.Verifier().Fingerprint() }

// LedgerFingerprint is that of the ledger's key.
func (s *Seat) LedgerFingerprint() string { return s.ledger.Fingerprint() }

// Join makes the file of a seat, with a new key, and brings the key to the host. Where the file is there already, from
// an attempt whose answer was lost, its key is brought again.
func Join(ctx context.Context, link, path string) (*Seat, service.Submitted, error) {
	var done service.Submitted
	s, code, err := linked(link)
	if err != nil {
		return nil, done, err
	}
	if old, err := Open(path); err == nil {
		if old.Campaign != s.Campaign || old.Name != s.Name || old.Ledger != s.Ledger {
			return nil, done, problem.New(problem.Input, "%s is the file of another seat: name another file", path)
		}
		s = old
	} else if _, missing := os.Stat(path); missing == nil {
		return nil, done, err
	} else if err := s.create(path); err != nil {
		return nil, done, err
	}
	entry, err := json.Marshal(map[string]string{campaign.VerbKey: s.key.Verifier().String()})
	if err != nil {
		return nil, done, err
	}
	id := "key/" + s.Fingerprint()
	signed, err := s.sign(ctx, id, campaign.Request{Verb: campaign.VerbKey, Entry: entry})
	if err == nil {
		err = s.client.Post(ctx, seats.Joining{Code: code, Envelope: signed}, &done, "campaigns", s.Campaign, "keys")
	}
	return s, done, err
}

func (s *Seat) create(path string) error {
	key, err := tree.NewWitnessKey(rand.Reader, envelope.KeyName(s.Name, s.Campaign))
	if err != nil {
		return problem.New(problem.Input, "this is no link of watu seat invite: %v", err)
	}
	s.Key, s.path = key.Secret(), path
	if err := s.ready(); err != nil {
		return problem.New(problem.Input, "this is no link of watu seat invite: %v", err)
	}
	text, err := s.text()
	if err == nil {
		err = kept.Create(path, text)
	}
	return err
}

// lasting is how long a host may hear what was signed.
const lasting = time.Hour

// command is what is signed of the record as it stands.
func (s *Seat) command(ctx context.Context, id string, request any) (c envelope.Command, err error) {
	c = envelope.Command{Campaign: s.Campaign, Seat: s.Name, ID: id,
		NotAfter: time.Now().Add(lasting).UTC().Truncate(time.Second)}
	if c.Request, err = json.Marshal(request); err != nil {
		return c, err
	}
	head, err := s.seen(ctx)
	c.Seen = envelope.Seen{Events: head.Events, Root: head.Root}
	return c, err
}

func (s *Seat) sign(ctx context.Context, id string, request any) (string, error) {
	c, err := s.command(ctx, id, request)
	if err != nil {
		return "", err
	}
	return c.Sign(s.key)
}

// seen asks for the newest checkpoint, holds it to the largest seen before, and keeps it.
func (s *Seat) seen(ctx context.Context) (tree.Checkpoint, error) {
	var newest maintenance.Checkpoint
	if err := s.client.Get(ctx, &newest, "campaigns", s.Campaign, "checkpoint"); err != nil {
		return tree.Checkpoint{}, err
	}
	if newest.Unsigned != "" {
		return tree.Checkpoint{}, problem.New(problem.Unreachable, "the host does not sign its record now: %s; try "+
			"again", newest.Unsigned)
	}
	head, err := tree.Parse(newest.Note, s.ledger)
	if err == nil && head.Campaign.String() != s.Campaign {
		err = errors.New("it is of another campaign")
	}
	if err != nil {
		return head, problem.New(problem.Unverified, "the host's checkpoint does not verify with the key that came "+
			"with the invitation: %v", err)
	}
	if s.Head != "" {
		if err := s.extends(ctx, head, newest.Note); err != nil {
			return head, err
		}
	}
	s.Head = newest.Note
	text, err := s.text()
	if err == nil {
		err = kept.Replace(s.path, text)
	}
	return head, err
}

// extends says, by a problem, that a checkpoint does not extend the one that was seen before.
func (s *Seat) extends(ctx context.Context, newer tree.Checkpoint, note string) error {
	before, err := tree.Parse(s.Head, s.ledger)
	if err != nil {
		return err
	}
	if newer.Events >= before.Events {
		var x maintenance.Extension
		q := url.Values{"from": {strconv.FormatUint(before.Events, 10)}, "to": {strconv.FormatUint(newer.Events, 10)}}
		if err := s.client.Query(ctx, &x, q, "campaigns", s.Campaign, "extension"); err != nil {
			return err
		}
		if tree.CheckExtension(before, newer, x.Proof) {
			return nil
		}
	}
	path := fmt.Sprintf("%s-fork-%d-%d.txt", s.path, before.Events, newer.Events)
	if err := kept.Replace(path, []byte(s.Head+"\n"+note)); err != nil {
		return err
	}
	return problem.New(problem.Diverged, "the host's record of %d events does not extend the one of %d events that "+
		"you saw: both notes, which it signed, are in %s; nothing was signed", newer.Events, before.Events, path)
}

// Describe says how the campaign stands, for anybody.
func (s *Seat) Describe(ctx context.Context) (c timeline.Campaign, err error) {
	return c, s.client.Get(ctx, &c, "campaigns", s.Campaign)
}

// Enter asks what is to be signed of an entry, checks that it says what the entry says, signs it and sends it.
func (s *Seat) Enter(ctx context.Context, id, verb string, body json.RawMessage) (done service.Submitted, err error) {
	asks, err := s.sign(ctx, "", campaign.Request{Verb: verb, Entry: body})
	if err != nil {
		return done, err
	}
	var form replay.Form
	if err := s.client.Post(ctx, seats.Draft{ID: id, Envelope: asks}, &form, "campaigns", s.Campaign,
		"forms"); err != nil {
		return done, err
	}
	if err := says(form, verb, body); err != nil {
		return done, err
	}
	c, err := s.command(ctx, form.Command, form.Request)
	if err != nil {
		return done, err
	}
	c.Question = form.Question
	opened, err := c.Seal(rand.Reader, form.Epoch, form.Sealed)
	if err != nil {
		return done, err
	}
	signed := replay.SignedCommand{Openings: opened}
	if signed.Envelope, err = c.Sign(s.key); err == nil {
		err = s.client.Post(ctx, signed, &done, "campaigns", s.Campaign, "signed")
	}
	return done, err
}

// says finds out whether the host's form of an entry is the entry, its secrets opened.
func says(form replay.Form, verb string, body json.RawMessage) error {
	var r campaign.Request
	if err := json.Unmarshal(form.Request, &r); err != nil {
		return problem.New(problem.Unverified, "the host's form of the entry does not read: %v", err)
	}
	var opened []events.Opening
	for slot, fact := range form.Sealed {
		opened = append(opened, events.Opening{Slot: slot, Fact: fact})
	}
	var own, others any
	if json.Unmarshal(body, &own) != nil || json.Unmarshal(rules.Unseal(r.Entry, opened), &others) != nil ||
		r.Verb != verb || !reflect.DeepEqual(own, others) {
		return problem.New(problem.Unverified, "the host would have you sign %s, which is not what you enter: nothing "+
			"was signed", form.Request)
	}
	return nil
}
