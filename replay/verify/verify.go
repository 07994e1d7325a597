// Package verify checks the file of a campaign on nothing but itself and the rules: first what holds it together
// (package bundle: encoding, hashes, links, commitments), then, where that is whole, by hearing every command again
// with the answers that are recorded (package replay, [review.Trial]).
//
//	file, err := verify.Read(f)
//	v, err := verify.File(file, all.Systems(), "", nil)
//	if !v.Verified {
//		fmt.Println(verify.FindingText(v.Findings[0])) // event #12, payload.dice[0]: the link gives another die (…)
//	}
//
// What a reader may not know is not wrong: it is listed as unchecked, with the reason. A file that says that its
// host lacks something is checked as far as that allows. The package opens no ledger, reads no clock and writes
// nothing.
package verify

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/tree"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/replay/bundle"
	"github.com/watu-ledger/watu/replay/review"
	"github.com/watu-ledger/watu/rules"
)

// Version is the version of [Verification]. A reader should refuse a greater one.
const Version = 1

// Verification is what `watu verify` prints with --json: what a record is about, what was checked of it, what is
// wrong, the first event first, and what could not be checked.
type Verification struct {
	Version  int          `json:"version"`
	Verified bool         `json:"verified"` // nothing is wrong
	Campaign string       `json:"campaign"`
	ID       string       `json:"id"`
	System   string       `json:"system"`
	Edition  string       `json:"edition"`
	Events   uint64       `json:"events"`
	Head     events.Hash  `json:"head"`
	For      string       `json:"for"`
	Part     *bundle.Part `json:"part,omitempty"`

	// SignedBy is the key whose signature of the events the file holds, and Fingerprint what people compare of it.
	// Both are empty where it holds none that is good.
	SignedBy    string `json:"signed_by,omitempty"`
	Fingerprint string `json:"fingerprint,omitempty"`
	// Cosigners are who cosigned the checkpoint that was given as the head, or else the one in the file, by keys that
	// the record states.
	Cosigners []Cosigner `json:"cosigners,omitempty"`
	bundle.Report
}

// ErrHead is wrapped for a head that is none.
var ErrHead = errors.New("--head takes the hash of an event, 64 hexadecimal digits, or a signed checkpoint")

// ErrUnsigned is wrapped for a checkpoint as the head that the ledger of the file did not sign, or not as it is.
var ErrUnsigned = errors.New("the ledger of the file did not sign it")

// Read reads a file as a stream: what is no record ends where that shows. It fails with [bundle.ErrDamaged] for a
// record that is cut short or changed, and otherwise for what is none, or is of a later version.
func Read(r io.Reader) (*bundle.File, error) { return read(bundle.Read(r)) }

// Open is [Read] for a file that stays open while it is checked, see [bundle.Open].
func Open(in io.Reader, again io.ReaderAt) (*bundle.File, error) { return read(bundle.Open(in, again)) }

func read(file *bundle.File, err error) (*bundle.File, error) {
	if errors.Is(err, bundle.ErrDamaged) {
		return nil, fmt.Errorf("%w; ask for the file again", err)
	}
	return file, err
}

// File checks a record by these systems of rules. Head is what is known of the campaign from elsewhere: the hash of an
// event, as 64 digits, or the text of a checkpoint that its ledger signed, or empty. It fails with [ErrHead],
// [ErrUnsigned] or [tree.ErrNote] for another. Progress may be nil.
func File(
	file *bundle.File, systems []rules.System, head string, progress func(done, total uint64),
) (Verification, error) {
	h := file.Header
	out := Verification{
		Version: Version, Campaign: h.Name, ID: h.Campaign.String(), System: h.System, Edition: h.Edition,
		Events: h.Events, Head: h.Head, For: h.For, Part: h.Part,
	}
	o := bundle.Options{Progress: progress}
	by, _ := tree.ParseVerifier(file.Signed.Key) // where it is wrong, the file's check says so
	if strings.Contains(head, "\n") {
		known, err := tree.Parse(head, by)
		if unnamed := file.Signed.Key == ""; err != nil && !(unnamed && errors.Is(err, tree.ErrSignature)) {
			if tree.Unsigned(err) {
				err = fmt.Errorf("%w: %w", ErrUnsigned, err)
			}
			return out, err
		}
		o.Checkpoint = &known
	} else if head != "" && (o.Head.UnmarshalText([]byte(head)) != nil || o.Head.IsZero()) {
		return out, fmt.Errorf("%w, not %q", ErrHead, head)
	}
	out.Report = file.Check(o)
	if file.Signed.Key != "" && out.Wrongs(bundle.CheckSigned) == 0 {
		out.SignedBy, out.Fingerprint = by.String(), by.Fingerprint()
	}
	note := file.Signed.Note
	if o.Checkpoint != nil {
		note = head
	}
	if out.Wrongs(bundle.CheckSigned)+out.Wrongs(bundle.CheckHead) == 0 {
		out.Cosigners = cosigned(note, &out.Report)
	}
	try(file, systems, &out.Report, progress)
	out.Verified = out.Good()
	return out, nil
}

// cosigned lists who cosigned a note, by the keys of seats and witnesses in a report.
func cosigned(note string, r *bundle.Report) (list []Cosigner) {
	var known []tree.Witness
	add := func(name, key string) {
		v, err := tree.ParseWitness(key)
		same := func(w tree.Witness) bool { return w.Verifier.String() == v.String() }
		if err == nil && !slices.ContainsFunc(known, same) {
			known = append(known, tree.Witness{Name: name, Verifier: v})
		}
	}
	for _, k := range r.Keys {
		add(k.Seat, k.Key)
	}
	for _, w := range r.Witnesses {
		add(w.Name, w.Key)
	}
	for _, w := range known { // one by one: a seat may have had several keys
		c, err := tree.ParseCosigned(note, tree.Verifier{}, tree.AnyOf(w))
		if err != nil {
			continue
		}
		for _, x := range c.Cosignatures {
			list = append(list, Cosigner{w.Name, w.Verifier.Fingerprint(), x.Time})
		}
	}
	return list
}

// Wrong says that the record does not verify, by its first finding; empty if it does.
func (v *Verification) Wrong() string {
	if v.Good() {
		return ""
	}
	return fmt.Sprintf("campaign %s does not verify: %s", v.Campaign, FindingText(v.Findings[0]))
}

// Verdict says in a sentence what came of it.
func (v *Verification) Verdict() string {
	elsewhere := 0
	for _, u := range v.Unchecked {
		if u.What == whatFollows && (strings.HasPrefix(u.Why, review.JudgedElsewhere) ||
			strings.HasPrefix(u.Why, whyNoRules)) {
			elsewhere += u.Count
		}
	}
	switch lacking := len(v.Lacking()); {
	case !v.Verified:
		return "It does not verify."
	case elsewhere > 0:
		return words.Count(elsewhere, "event") + " could not be held to the rules that this program has; nothing " +
			"wrong was found in the rest."
	case lacking > 0:
		return words.Count(lacking, "event") + " could not be checked because of what the file lacks; nothing wrong " +
			"was found in the rest."
	case len(v.Missing) > 0:
		return "Nothing is wrong with what is there; what is missing is named above."
	}
	return "Nothing is wrong."
}

// FindingText tells a finding in a line: "event #12, payload.dice[0]: the link gives another die (recorded 3, derived
// 5)".
func FindingText(x bundle.Finding) string {
	where := "the file"
	if x.Event != nil {
		where = fmt.Sprintf("event #%d", *x.Event)
	}
	text := fmt.Sprintf("%s, %s: %s", where, x.Field, x.Message)
	switch {
	case x.Recorded != "" && x.Derived != "":
		text += fmt.Sprintf(" (recorded %s, derived %s)", x.Recorded, x.Derived)
	case x.Recorded != "":
		text += fmt.Sprintf(" (recorded %s)", x.Recorded)
	}
	return text
}
