package verify_test

import (
	"bytes"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/fixtures"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/bundle"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/keys"
	"github.com/watu-ledger/watu/replay/turnfile"
	"github.com/watu-ledger/watu/replay/verify"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/all"
)

// played plays the first turn files of a bundled campaign, and more behind them, and gives the umpire's file of it.
func played(t *testing.T, name string, files int, more ...fixtures.File) *bundle.File {
	t.Helper()
	campaigns := fixtures.Campaigns()
	f := campaigns[slices.IndexFunc(campaigns, func(f fixtures.Campaign) bool { return f.Name == name })]
	dir := t.TempDir()
	l, err := ledger.Open(dir, ledger.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	keys, boards := keys.NewKeys(filepath.Join(dir, "secrets")), replay.NewBoards(filepath.Join(dir, "boards"))
	u := replay.NewUmpire(l, keys, boards, all.Systems()...)
	c, violations, err := u.Open(replay.NewCampaign{Name: f.Name, System: f.System, Options: f.Options, Note: f.Note,
		Seed: f.Seed})
	if err != nil || len(violations) > 0 {
		t.Fatal(err, violations)
	}
	system := systemOf(f.System)
	for _, file := range slices.Concat(f.Files[:files], more) {
		parsed, err := turnfile.Parse(file.Name, file.Data, campaign.Verbs(system))
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range parsed.Entries {
			e.Seat = campaign.UmpireSeat
			if a, err := u.Hear(c.ID, e.Command); err != nil || a.Verdict != rules.Allowed {
				t.Fatalf("%s: %+v, %v", e.ID, a, err)
			}
		}
	}
	h := bundle.Header{Campaign: c.ID, Name: f.Name, System: f.System, For: bundle.Umpire}
	file := &bundle.File{Header: h}
	for r, err := range l.Read(c.ID, 0, campaign.Everything) {
		if err != nil {
			t.Fatal(err)
		}
		file.Events = append(file.Events, bytes.Clone(r.Bytes))
	}
	edition := system.Editions[0]
	file.Header.Edition, file.Header.Editions = edition.Name, []events.Hash{edition.Hash}
	file.Editions = []string{edition.Text}
	file.Header.Events = uint64(len(file.Events))
	if file.Openings, err = l.Openings(c.ID, 0, campaign.Everything); err != nil {
		t.Fatal(err)
	}
	var opened events.CampaignOpened
	if first, err := events.Decode(file.Events[0]); err != nil || !first.Read(&opened) {
		t.Fatal(err)
	}
	if file.Links, err = u.DrawLinks(c.ID, file.Header.Events, opened.Sides); err != nil {
		t.Fatal(err)
	}
	file.Header.Head = events.LeafHash(file.Events[len(file.Events)-1])
	return file
}

func systemOf(name string) rules.System {
	systems := all.Systems()
	return systems[slices.IndexFunc(systems, func(s rules.System) bool { return s.Name == name })]
}

// forged gives the file with one event changed and all hashes behind it made anew.
func forged(t *testing.T, f *bundle.File, change func(*events.Event) bool) (*bundle.File, uint64) {
	t.Helper()
	out, at, previous := *f, uint64(0), events.Hash{}
	out.Events = nil
	for _, b := range f.Events {
		e, err := events.Decode(b)
		if err != nil {
			t.Fatal(err)
		}
		if e.Previous = previous; at == 0 && change(&e) {
			at = e.Index
		}
		b = e.Encode()
		previous = events.LeafHash(b)
		out.Events = append(out.Events, b)
	}
	if out.Header.Head = previous; at == 0 {
		t.Fatal("no event was changed")
	}
	return &out, at
}

// otherReason changes why an event follows, in the first that has a reason.
func otherReason(e *events.Event) bool {
	if len(e.Derivation) == 0 || e.Type == "fact_reported" {
		return false
	}
	e.Derivation[0].Step += ", or so"
	return true
}

func verified(t *testing.T, f *bundle.File, systems []rules.System, head string) verify.Verification {
	t.Helper()
	v, err := verify.File(f, systems, head, nil)
	if err != nil {
		t.Fatal(err)
	}
	if v.Verified != (v.Wrong() == "") || v.Verified != (len(v.Findings) == 0) {
		t.Errorf("verified: %t, wrong: %q, findings: %v", v.Verified, v.Wrong(), v.Findings)
	}
	return v
}

// reasons are why events were not held to the rules, each with how many.
func reasons(v verify.Verification) map[string]int {
	why := map[string]int{}
	for _, u := range v.Unchecked {
		if u.What == "events that follow from the rules" {
			why[u.Why] += u.Count
		}
	}
	return why
}

// A file that is read back verifies, with every event held to the rules but those that no rule derives. The head says
// whether it is the campaign that was played.
func TestVerifies(t *testing.T) {
	made := played(t, "atlantic-and-pacific", 3)
	f, err := verify.Read(bytes.NewReader(made.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	v := verified(t, f, all.Systems(), f.Header.Head.String())
	at := slices.IndexFunc(v.Checks, func(c bundle.Check) bool { return c.Name == bundle.CheckRules })
	if !v.Verified || v.Campaign != "atlantic-and-pacific" || v.Events != uint64(len(f.Events)) || len(reasons(v)) > 0 {
		t.Errorf("%s: %d events, findings %v, unchecked %v", v.Campaign, v.Events, v.Findings, v.Unchecked)
	}
	if at < 0 || v.Checks[at].Count < len(f.Events)-5 {
		t.Errorf("held to the rules: %v", v.Checks)
	}
	if v := verified(t, f, all.Systems(), strings.Repeat("ab", 32)); v.Verified ||
		v.Findings[0].Check != bundle.CheckHead {
		t.Errorf("another head: %v", v.Findings)
	}
	if _, err := verify.File(f, all.Systems(), "the last", nil); !errors.Is(err, verify.ErrHead) {
		t.Error("a head that is no hash:", err)
	}
}

// A byte that is changed in the file is damage. One that was changed before all hashes were made is a finding at its
// event.
func TestChanged(t *testing.T) {
	made := played(t, "atlantic-and-pacific", 3)
	whole := made.Encode()
	for at := len(bundle.Magic); at < len(whole); at += 997 {
		b := bytes.Clone(whole)
		b[at] ^= 1
		if _, err := verify.Read(bytes.NewReader(b)); err == nil {
			t.Fatalf("byte %d was changed, and the file is read", at)
		}
	}
	other, at := forged(t, made, otherReason)
	v := verified(t, other, all.Systems(), "")
	if v.Verified {
		t.Fatal("a forged file verifies")
	}
	f := v.Findings[0]
	if f.Event == nil || *f.Event != at || f.Check != bundle.CheckRules || f.Field != "derivation[0]" ||
		f.Recorded != f.Derived+", or so" {
		t.Errorf("#%d was changed: %s", at, verify.FindingText(f))
	}
	if want := "campaign atlantic-and-pacific does not verify: " + verify.FindingText(f); v.Wrong() != want {
		t.Errorf("%q, want %q", v.Wrong(), want)
	}
}

// What another build judged otherwise is not accused, and what nobody here can judge is not checked.
func TestAnotherBuild(t *testing.T) {
	made := played(t, "atlantic-and-pacific", 3)
	systems := all.Systems()
	at := slices.IndexFunc(systems, func(s rules.System) bool { return s.Name == made.Header.System })
	systems[at].Revision++
	if v := verified(t, made, systems, ""); !v.Verified || len(reasons(v)) > 0 {
		t.Errorf("judged alike: findings %v, unchecked %v", v.Findings, reasons(v))
	}
	other, _ := forged(t, made, otherReason)
	v := verified(t, other, systems, "")
	found := false
	for why, n := range reasons(v) {
		found = found || strings.HasPrefix(why, "judged by another build, by the rules ") && n > 0
	}
	if !v.Verified || !found {
		t.Errorf("judged otherwise: findings %v, unchecked %v", v.Findings, reasons(v))
	}
	systems[at].Editions = nil
	v = verified(t, made, systems, "")
	want := "this watu does not have edition " + made.Header.Editions[0].String()[:12] + " of " + made.Header.System
	if !v.Verified || reasons(v)[want] != len(made.Events) {
		t.Errorf("without the edition: findings %v, unchecked %v", v.Findings, reasons(v))
	}
	if v = verified(t, made, nil, ""); !v.Verified || len(reasons(v)) != 1 {
		t.Errorf("without the system: findings %v, unchecked %v", v.Findings, reasons(v))
	}
}

// Of what the file lacks, and says so, the rules check as much as they can; what it lacks silently is a finding.
func TestLacking(t *testing.T) {
	made := played(t, "atlantic-and-pacific", 3)
	made.Openings, made.Links = nil, nil
	if v := verified(t, made, all.Systems(), ""); v.Verified || v.Findings[0].Check != bundle.CheckHeld {
		t.Errorf("stripped: %v", v.Findings)
	}
	made.Lacks = made.Missing()
	v := verified(t, made, all.Systems(), "")
	if !v.Verified || len(v.Lacking()) == 0 {
		t.Errorf("stated: findings %v, lacking %v", v.Findings, v.Lacking())
	}
}

// TestForgedSchema: the schema of one event is another, wherever it stands, and all is hashed anew.
func TestForgedSchema(t *testing.T) {
	f := played(t, "atlantic-and-pacific", 3)
	n := uint64(len(f.Events))
	for _, at := range []uint64{1, n / 2, n - 1} {
		made, _ := forged(t, f, func(e *events.Event) bool {
			if e.Index == at {
				e.Schema = 1
			}
			return e.Index == at
		})
		v := verified(t, made, all.Systems(), "")
		found := slices.ContainsFunc(v.Findings, func(x bundle.Finding) bool { return x.Field == "schema" })
		if !found {
			t.Errorf("#%d of %d has schema 1: %v", at, n, v.Findings)
		}
	}
}
