package verify

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/tree"
)

// Proved is what `watu verify --proof` prints with --json: the event, the checkpoint that holds it, and whose word that
// is.
type Proved struct {
	Version     int         `json:"version"`
	Verified    bool        `json:"verified"`
	Wrong       string      `json:"wrong,omitempty"` // why it does not verify
	Campaign    string      `json:"campaign"`        // ULID
	Events      uint64      `json:"events"`          // of the checkpoint
	Root        events.Hash `json:"root"`
	SignedBy    string      `json:"signed_by,omitempty"`
	Fingerprint string      `json:"fingerprint,omitempty"` // of that key
	Cosigners   []Cosigner  `json:"cosigners"`
	Others      []string    `json:"others,omitempty"` // who signed, too, by their own word: their keys were not given
	Event       events.View `json:"event"`
}

// Cosigner is who cosigned a checkpoint, by the name of his key, or of his seat where a record states that, and when by
// his own clock.
type Cosigner struct {
	Name        string `json:"name"`
	Fingerprint string `json:"fingerprint"`
	Time        int64  `json:"time"` // in Unix seconds
}

// ErrKeys is wrapped for keys that do not read, or are not the ledger's.
var ErrKeys = errors.New("--key takes the key of the ledger, as watu checkpoint prints it, and those of cosigners")

// Proof checks the proof of one event (package events/tree). The keys, known from elsewhere, are that of a ledger, and
// those of cosigners, or policies that name some. It fails with [tree.ErrProof] or [ErrKeys] for what does not read.
func Proof(text string, keys []string) (out Proved, err error) {
	out.Version, out.Cosigners = Version, []Cosigner{}
	p, err := tree.ParseProof(text)
	if err != nil {
		return out, err
	}
	e, err := events.Decode(p.Event)
	if err != nil {
		return out, fmt.Errorf("%w: line 2: %w", tree.ErrProof, err)
	}
	out.Event = events.ViewOf(&e, events.LeafHash(p.Event))
	by, cosigners, err := readKeys(keys)
	if err != nil {
		return out, err
	}
	c, err := tree.ParseCosigned(p.Note, by, tree.AnyOf(cosigners...))
	out.Campaign, out.Events, out.Root = c.Campaign.String(), c.Events, c.Root
	switch {
	case err != nil:
		out.Wrong = err.Error()
		return out, nil
	case e.Campaign != c.Campaign:
		out.Wrong = "the event is of another campaign than the checkpoint, " + e.Campaign.String()
	case e.Index != p.Index:
		out.Wrong = fmt.Sprintf("the event is #%d, and the proof is of #%d", e.Index, p.Index)
	case !p.Proves(c.Checkpoint):
		out.Wrong = fmt.Sprintf("the proof does not lead from event #%d to the root of the checkpoint", p.Index)
	}
	out.SignedBy, out.Fingerprint, out.Others = by.String(), by.Fingerprint(), c.Others
	for _, x := range c.Cosignatures {
		for _, w := range cosigners {
			if w.Name == x.Witness {
				out.Cosigners = append(out.Cosigners, Cosigner{w.Verifier.Name(), w.Verifier.Fingerprint(), x.Time})
			}
		}
	}
	out.Verified = out.Wrong == ""
	return out, nil
}

// Verdict says in a sentence what came of it.
func (v Proved) Verdict() string {
	if !v.Verified {
		return "It does not verify: " + v.Wrong + "."
	}
	return fmt.Sprintf("The ledger stated that event #%d of its campaign is this one.", v.Event.Index)
}

// readKeys reads the key of a ledger, those of cosigners, and policies, which have words. Each cosigner is called by
// his key, as two policies may use one name.
func readKeys(keys []string) (by tree.Verifier, list []tree.Witness, err error) {
	for _, k := range keys {
		var more []tree.Witness
		if len(strings.Fields(k)) > 1 {
			var p tree.Policy
			p, err = tree.ParsePolicy(k)
			more = p.Witnesses()
		} else if v, wrong := tree.ParseVerifier(k); wrong == nil && by.String() == "" {
			by = v
		} else if wrong == nil {
			err = errors.New("two are of ledgers")
		} else if w, wrong := tree.ParseWitness(k); wrong == nil {
			more = []tree.Witness{{Verifier: w}}
		} else {
			err = fmt.Errorf("%q is neither", strings.TrimSpace(k))
		}
		if err != nil {
			return by, nil, fmt.Errorf("%w: %w", ErrKeys, err)
		}
		for _, w := range more {
			w.Name = w.Verifier.String()
			known := func(x tree.Witness) bool { return x.Name == w.Name }
			if !slices.ContainsFunc(list, known) {
				list = append(list, w)
			}
		}
	}
	if by.String() == "" {
		err = fmt.Errorf("%w: whose word is it? None was given that is a ledger's", ErrKeys)
	}
	return by, list, err
}
