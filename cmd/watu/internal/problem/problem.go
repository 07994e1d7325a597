// Package problem says why a request came to nothing, in the words that the command line and the HTTP interface show.
//
// A [Problem] is an error of one line: what is wrong, where, and what to do. Its [Kind] decides the exit code of a
// command and the status of an HTTP answer:
//
//	input        400   the request is not understood
//	refused      422   it is understood, and against a rule
//	unverified   409   something does not verify
//	diverged     409   copies of the ledger differ
//	unreachable  503   a server, or the process that holds the ledger, does not answer
//	failed       500   the machine, the disk or watu itself
//
// [Of] reads any error: packages below this one return sentinels, and the table here gives each its kind and its
// remedy. An error that nobody knows is of the kind failed.
package problem

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"slices"
	"strings"
	"syscall"

	"github.com/watu-ledger/watu/cmd/watu/internal/tokens"
	"github.com/watu-ledger/watu/events/beacon"
	"github.com/watu-ledger/watu/events/beacon/rounds"
	"github.com/watu-ledger/watu/events/envelope"
	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/events/stream"
	"github.com/watu-ledger/watu/events/tree"
	"github.com/watu-ledger/watu/projections"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/backup"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/kept"
	"github.com/watu-ledger/watu/replay/keys"
	"github.com/watu-ledger/watu/replay/rehear"
	"github.com/watu-ledger/watu/replay/review"
	"github.com/watu-ledger/watu/replay/turnfile"
	"github.com/watu-ledger/watu/replay/verify"
	"github.com/watu-ledger/watu/rules"
)

// Kind says what sort of trouble a [Problem] is; the exit codes follow from it.
type Kind string

// The kinds of problems.
const (
	Failed      Kind = "failed"      // the machine, the disk, a fault of watu
	Input       Kind = "input"       // not understood
	Unverified  Kind = "unverified"  // something does not verify
	Diverged    Kind = "diverged"    // record and stream do not agree
	Unreachable Kind = "unreachable" // nobody answers
	Refused     Kind = "refused"     // understood, and against a rule
)

// Problem is why a request came to nothing. It is an error, and travels as JSON.
type Problem struct {
	Kind    Kind   `json:"kind"`
	Message string `json:"message"`         // one line: what, where, what to do
	Where   string `json:"where,omitempty"` // "turn.yaml:12"
	Rule    string `json:"rule,omitempty"`
	Title   string `json:"rule_title,omitempty"` // what the rule is about
	// Report are further lines for people at a terminal: the commands that do what the message says, and where
	// copies of a ledger differ, what each holds.
	Report []string `json:"report,omitempty"`
	Wants  string   `json:"-"` // as [rules.Violation] has it
}

// RuleID is the rule that says so, as it stands in JSON: [rules.Input] for what is not understood, [rules.Ledger] for
// what no rule of the game refuses; empty for what is no refusal.
func (p *Problem) RuleID() string {
	switch {
	case p.Rule == "" && p.Kind == Input:
		return rules.Input
	case p.Rule == "" && p.Kind == Refused:
		return rules.Ledger
	}
	return p.Rule
}

// MarshalJSON implements json.Marshaler: every refusal has its rule.
func (p *Problem) MarshalJSON() ([]byte, error) {
	type plain Problem
	own := plain(*p)
	own.Rule = p.RuleID()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(own)
	return b.Bytes(), err
}

// Error is "turn.yaml:12: message [RULE, its title]". [rules.Input] and [rules.Ledger] are no rules that could be read
// up, and are left out.
func (p *Problem) Error() string {
	s := p.Message
	if p.Where != "" {
		s = p.Where + ": " + s
	}
	if !slices.Contains([]string{"", rules.Input, rules.Signed, rules.Ledger}, p.Rule) {
		s += " [" + rules.Titled(p.Rule) + "]"
	}
	return s
}

// New makes a problem. Its message is one line: joined errors, which stand on several, are put on one.
func New(kind Kind, format string, args ...any) *Problem {
	return &Problem{Kind: kind, Message: strings.ReplaceAll(fmt.Sprintf(format, args...), "\n", "; ")}
}

// NoEvent is the problem that a campaign of so many events has none with that index.
func NoEvent(campaign string, index any, events uint64) *Problem {
	return New(Input, "campaign %s has no event #%v; its last is #%d", campaign, index, events-1)
}

// WithReport is [New] with further lines for people.
func WithReport(kind Kind, lines []string, format string, args ...any) *Problem {
	p := New(kind, format, args...)
	p.Report = lines
	return p
}

// Of gives the problem in an error, or classifies one that has none. Nil stays nil.
func Of(err error) *Problem {
	var p *Problem
	var open *replay.OpenError
	var typed *turnfile.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &p):
		return p
	case errors.As(err, &open):
		// The answer that waits has the question itself, and how to answer it.
		message := fmt.Sprintf("entry %q has to wait until %s answers #%d", open.Command, open.Question.Of(),
			open.Question.Index)
		if r := open.Question.Roll; r != nil && r.Contested() {
			message = fmt.Sprintf("entry %q has to wait for the dice of #%d, which come with the link of %s: submit "+
				"it again then", open.Command, open.Question.Index, r.Contester)
		} else if r != nil && r.Awaits() {
			message = fmt.Sprintf("entry %q has to wait for the dice of #%d: submit it again when round %d of %s has "+
				"come", open.Command, open.Question.Index, r.Round, r.Beacon.Name)
		}
		rule := open.Question.Rule()
		return &Problem{Kind: Refused, Message: message, Rule: rule, Title: rules.TitleOf(rule)}
	case errors.As(err, &typed):
		return &Problem{Kind: Input, Message: typed.Error()}
	case errors.Is(err, ledger.ErrEdited), errors.Is(err, review.ErrNotCorrectable),
		errors.Is(err, review.ErrOvertaken):
		return New(Refused, "%v", err)
	case isInput(err):
		return New(Input, "%v", err)
	case errors.Is(err, ledger.ErrHeld):
		return New(Unreachable, "%v", err)
	case errors.Is(err, ledger.ErrDamaged):
		return New(Unverified, "%v; a backup holds what is lost: watu restore", err)
	case errors.Is(err, ledger.ErrReadOnly):
		return New(Refused, "%v", err)
	}
	for _, k := range kindsOf {
		if errors.Is(err, k.err) {
			return New(k.kind, "%v%s", err, k.remedy)
		}
	}
	return New(Failed, "%v", err)
}

// kindsOf are the kinds of what goes wrong between copies of a ledger, and of a server that is
// not ours, with what can be done where the error does not say so. The first that fits counts.
var kindsOf = []struct {
	err    error
	kind   Kind
	remedy string
}{
	{stream.ErrTarget, Input, ""},
	{stream.ErrUnknownContext, Input, ""},
	{stream.ErrForeign, Diverged, ""},
	{stream.ErrDiverged, Diverged, ""},
	{stream.ErrGap, Diverged, ""},
	{stream.ErrHome, Diverged, ""},
	{stream.ErrLeaseLost, Diverged, ""},
	{stream.ErrLeaseLapsed, Diverged, ""},
	{stream.ErrLeaseHeld, Unreachable, "; without --nats (and $WATU_NATS) this copy is read"},
	{ledger.ErrUnconfirmed, Diverged, ""},
	{campaign.ErrNotKnown, Refused, ""},
	{ledger.ErrFork, Diverged, ""},
	{ledger.ErrShort, Diverged, ""},
	{ledger.ErrDiffers, Diverged, ""},
	{ledger.ErrCheckpoint, Diverged, ""},
	{stream.ErrUnreachable, Unreachable, "; start it, or name another with --nats"},
	{stream.ErrUnauthorized, Unreachable, "; give nats://user:password@host, or a context of the nats CLI that holds " +
		"credentials"},
	{stream.ErrTLS, Unreachable, ""},
	{stream.ErrNoJetStream, Unreachable, ""},
	{stream.ErrNoJetStreamForAccount, Unreachable, ""},
	{stream.ErrDenied, Unreachable, "; docs/running.md has a table of what a ledger's user needs: connect as a user " +
		"who may, or only read with watu follow"},
	{stream.ErrReplicas, Unreachable, "; ask for fewer with --nats-replicas"},
	{stream.ErrNoLeader, Unreachable, "; it comes back when enough of its servers do: try again then"},
	{stream.ErrUnanswered, Unreachable, "; try again, or ask whoever keeps that server"},
	{stream.ErrSilent, Unreachable, "; try again, or ask whoever keeps that server"},
	{stream.ErrNotYet, Unreachable, ": it is publishing its record; try again when it has"},
	{stream.ErrNoStream, Unreachable, "; nobody has published this ledger there: name another server with --nats"},
	{keys.ErrNoSecret, Unverified, "; dice and draws to come are lost with it" + remedyKept + "; if there is none, " +
		"watu repair --fresh-secrets goes on without"},
	{rehear.ErrSealed, Unverified, "; restore a backup that holds it: watu restore"},
	{replay.ErrNoBoard, Unverified, remedyKept},
	{tokens.ErrDamaged, Unverified, ""}, // they are in no backup
	{kept.ErrDamaged, Unverified, remedyKept},
	{rounds.ErrSource, Input, "; --rounds (or $WATU_ROUNDS) takes a URL, a file or a directory"},
	{beacon.ErrBeacon, Input, ""},
	{beacon.ErrRound, Unverified, "; name another source with --rounds"},
	{rounds.ErrNotYet, Unreachable, ""},
	{rounds.ErrHost, Unreachable, "; name another source with --rounds, or carry the round over in a file"},
	{tree.ErrPolicy, Input, "; watu witness prints one"},
	{verify.ErrUnsigned, Unverified, ""},
	{verify.ErrHead, Input, ""},
	{tree.ErrNote, Input, ""},
	{backup.ErrKey, Input, ": name the one that belongs to a recipient of the backup"},
	{backup.ErrDamaged, Unverified, "; take another backup"},
}

// remedyKept is what can be done where a file beside the record is damaged or missing.
const remedyKept = "; the campaign is read, verified and exported, and takes no steps: restore a backup into another " +
	"directory, and copy this file from there"

func isInput(err error) bool {
	for _, target := range []error{
		replay.ErrName, replay.ErrNote, campaign.ErrUnknownCampaign, campaign.ErrUnknownSystem, campaign.ErrNoQuestion,
		envelope.ErrEnvelope,
		review.ErrNothingFollows,
		ledger.ErrNameTaken,
		ledger.ErrNotLedger, ledger.ErrNewer, ledger.ErrNotEmpty, ledger.ErrOtherLedger, ledger.ErrNotFollower,
		replay.ErrBoardRequired, projections.ErrNoProjection, projections.ErrNoCampaign, projections.ErrNoIndex,
	} {
		if errors.Is(err, target) {
			return true
		}
	}
	return false
}

// Unwritable says plainly that the ledger in dir cannot be opened because nothing may be written there. Other errors
// stay, that of a full disk among them: such a ledger is read.
func Unwritable(dir string, err error) error {
	for _, cause := range []error{fs.ErrPermission, syscall.EROFS} {
		if errors.Is(err, cause) {
			return New(Failed, "the ledger in %s cannot be written: %v; readers take a lock in it too", dir, cause)
		}
	}
	return err
}

// OfViolations makes a problem of the first broken rule; where stands before its message.
func OfViolations(where string, list []rules.Violation) *Problem {
	if len(list) == 0 {
		return New(Failed, "refused without a rule")
	}
	v := list[0]
	p := &Problem{Kind: Refused, Message: v.Message, Where: where, Rule: v.Rule, Title: rules.TitleOf(v.Rule),
		Wants: v.Wants}
	switch v.Rule {
	case rules.Input:
		p.Kind = Input
	case rules.Signed:
		p.Kind = Unverified
	}
	return p
}

var statusOf = map[Kind]int{
	Failed: http.StatusInternalServerError, Input: http.StatusBadRequest, Unverified: http.StatusConflict,
	Diverged: http.StatusConflict, Unreachable: http.StatusServiceUnavailable, Refused: http.StatusUnprocessableEntity,
}

// Status is the HTTP status of an answer that is this problem.
func (p *Problem) Status() int { return statusOf[p.Kind] }
