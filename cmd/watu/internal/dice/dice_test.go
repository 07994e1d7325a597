package dice_test

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/oklog/ulid/v2"
	"go.uber.org/goleak"

	"github.com/watu-ledger/watu/cmd/watu/internal/dice"
	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/cmd/watu/internal/witness"
	"github.com/watu-ledger/watu/events/beacon"
	"github.com/watu-ledger/watu/events/beacon/beacontest"
	"github.com/watu-ledger/watu/events/envelope"
	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/events/tree"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/campaign"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.IgnoreTopFunction("net/http.(*persistConn).readLoop"),
		goleak.IgnoreTopFunction("net/http.(*persistConn).writeLoop")) // kept for the next request
}

const raid = `{id: raid, submarine warfare: {box: Atlantic, submarines: 20, asw: 30, cves: 0, war turn: 1}, cards: []}`

// opened opens the directory, and has rolls looked after.
func opened(t *testing.T, dir, rounds string) *service.Service {
	t.Helper()
	f, err := service.New(maintenance.Open(t.Context(), dir, maintenance.Options{Begin: true, Rounds: rounds}))
	if err != nil {
		t.Fatal(err)
	}
	f.RollDice(ulid.ULID{})
	return f
}

func submit(t *testing.T, f *service.Service, campaign, text string) service.Submitted {
	t.Helper()
	done, err := f.Submit(t.Context(), campaign, timeline.Viewer{As: timeline.Umpire},
		service.Submission{Name: "entry", Entry: true, Text: text})
	if err != nil {
		t.Fatal(err)
	}
	return done
}

// until waits until a campaign waits as is wanted.
func until(t *testing.T, f *service.Service, campaign string, so func(*timeline.Waiting) bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		c, err := f.Find(campaign)
		if err != nil {
			t.Fatal(err)
		}
		w, err := f.Waiting(c)
		if err != nil {
			t.Fatal(err)
		}
		if so(w) {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("campaign %s still waits: %+v", campaign, w)
		}
	}
}

// Two of three witnesses cosign. Then the host is closed, the witnesses go away, and the round is not to be had at
// first: it goes on with what was cosigned, and the dice fall as soon as the round is there.
func TestRestart(t *testing.T) {
	t.Parallel()
	m, err := beacontest.New(time.Now().Unix()-100, 1)
	if err != nil {
		t.Fatal(err)
	}
	dir, rounds := t.TempDir(), t.TempDir()
	f := opened(t, dir, rounds)
	k, err := tree.ParseVerifier(f.Standing().Key)
	if err != nil {
		t.Fatal(err)
	}
	policy, closing := "", []func(){}
	for _, name := range []string{"anna", "ben"} {
		w, err := witness.Open(t.TempDir(), witness.Options{Name: name, Ledgers: []tree.Verifier{k}})
		if err != nil {
			t.Fatal(err)
		}
		s := httptest.NewServer(w.Handler())
		closing = append(closing, s.Close, func() { w.Close() })
		policy += fmt.Sprintf("witness %s %s %s\n", name, w.Verifier(), s.URL)
	}
	away, err := tree.NewWitnessKey(strings.NewReader(strings.Repeat("carl", 8)), "carl")
	if err != nil {
		t.Fatal(err)
	}
	policy += fmt.Sprintf("witness carl %s http://127.0.0.1:1\n", away) + "group g 2 anna ben carl\nquorum g\n"
	for _, n := range []replay.NewCampaign{{Name: "other", System: "awaw"},
		{Name: "fair", System: "awaw", Dice: campaign.Beacon, Beacon: m.Beacon, Witnesses: policy}} {
		if _, err := f.OpenCampaign(n); err != nil {
			t.Fatal(err)
		}
		submit(t, f, n.Name, "{id: go, turn: Winter 1941}")
	}
	first := submit(t, f, "fair", raid)
	if w := first.Waiting; w == nil || w.Roll == nil || first.Entries[0].State != service.Waits {
		t.Fatalf("no roll awaits a round: %+v", first)
	}
	until(t, f, "fair", func(w *timeline.Waiting) bool { return len(w.Roll.Cosigned) == 2 })
	late := submit(t, f, "fair", "{id: more, facts: {cves: {Atlantic: 5}}}")
	if late.Entries[0].State != service.Later || late.Problem == nil || late.Recorded != 0 {
		t.Errorf("play goes on before the dice fell: %+v", late)
	}
	if done := submit(t, f, "other", "{id: more, facts: {cves: {Atlantic: 5}}}"); done.Recorded != 1 {
		t.Errorf("another campaign does not go on: %+v", done)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	for _, end := range closing {
		end()
	}
	f = opened(t, dir, rounds)
	defer func() {
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}()
	until(t, f, "fair", func(w *timeline.Waiting) bool { return strings.Contains(w.Roll.Trouble, "is not there yet") })
	round := first.Waiting.Roll.Round
	if list := f.Status(t.Context()).Rolls; len(list) != 1 || list[0].Round != round || len(list[0].Cosigned) != 2 {
		t.Errorf("the roll stands so: %+v", list)
	}
	text := fmt.Sprintf("%d %s\n", round, m.Signature(round))
	if err := os.WriteFile(filepath.Join(rounds, m.Chain), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	until(t, f, "fair", func(w *timeline.Waiting) bool { return w == nil })
	x, err := f.Explain(t.Context(), "fair", first.Waiting.Index)
	if err != nil || x.Roll == nil || x.Roll.Round == nil || !x.Roll.Follows || !x.Roll.Round.Met {
		t.Errorf("the roll is explained by %+v, %v", x.Roll, err)
	}
}

// A witness does not answer the first request for a round at all, and fails at the second: the roll is cosigned all the
// same before that comes. A machine that is too busy for that in one round has the next one, as the roll lapses.
func TestWitnessAskedAgain(t *testing.T) {
	t.Parallel()
	m, err := beacontest.New(time.Now().Unix()-100, 1)
	if err != nil {
		t.Fatal(err)
	}
	f := opened(t, t.TempDir(), t.TempDir())
	w, err := witness.Open(t.TempDir(), witness.Options{Name: "anna", Ledgers: []tree.Verifier{verifier(t, f)}})
	if err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	asked := map[string]int{} // how often for a checkpoint of so many events: another names each round of the roll
	s := httptest.NewServer(http.HandlerFunc(func(out http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body) // all of it, so that the server sees the client go
		_, note, _ := strings.Cut(string(body), "\n\n")
		_, counted, _ := strings.Cut(note, "\n")
		events, _, _ := strings.Cut(counted, "\n")
		mu.Lock()
		asked[events]++
		n := asked[events]
		mu.Unlock()
		switch n {
		case 1:
			<-r.Context().Done()
		case 2:
			out.WriteHeader(http.StatusInternalServerError)
		default:
			r.Body = io.NopCloser(bytes.NewReader(body))
			w.Handler().ServeHTTP(out, r)
		}
	}))
	defer func() {
		if err := f.Close(); err != nil {
			t.Error(err)
		}
		s.Close()
		w.Close()
	}()
	if _, err := f.OpenCampaign(replay.NewCampaign{Name: "fair", System: "awaw", Dice: campaign.Beacon,
		Beacon:    m.Beacon,
		Witnesses: fmt.Sprintf("witness anna %s %s\nquorum anna\n", w.Verifier(), s.URL)}); err != nil {
		t.Fatal(err)
	}
	submit(t, f, "fair", "{id: go, turn: Winter 1941}")
	submit(t, f, "fair", raid)
	until(t, f, "fair", func(w *timeline.Waiting) bool {
		if w.Roll.Lapses == beacon.MostLapses { // this machine was too busy for each of the rounds
			t.Fatalf("%+v", w.Roll)
		}
		return len(w.Roll.Cosigned) == 1
	})
	c, err := f.Find("fair")
	if err != nil {
		t.Fatal(err)
	}
	mu.Lock()
	defer mu.Unlock()
	if n := asked[fmt.Sprint(c.Events)]; n < 3 {
		t.Errorf("it was asked %d times for the round that decides: %v", n, asked)
	}
}

// Ben's submarines are Anna's to cosign. She is away when the round comes: the roll lapses when her program is back,
// and she cosigns the next one.
func TestSeatCosigns(t *testing.T) {
	t.Parallel()
	m, err := beacontest.New(time.Now().Unix()-100, 1)
	if err != nil {
		t.Fatal(err)
	}
	rounds := t.TempDir()
	f := opened(t, t.TempDir(), rounds)
	defer func() {
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}()
	if _, err := f.OpenCampaign(replay.NewCampaign{Name: "fair", System: "awaw", Dice: campaign.Beacon,
		Beacon: m.Beacon, Proxy: true, Seats: []campaign.Seat{{Name: "Anna", Sides: []string{"Britain"}},
			{Name: "Ben", Sides: []string{"European Axis"}}}}); err != nil {
		t.Fatal(err)
	}
	c, err := f.Find("fair")
	if err != nil {
		t.Fatal(err)
	}
	anna, ben := keyed(t, f, c, "Anna"), keyed(t, f, c, "Ben")
	submit(t, f, "fair", "{id: go, turn: Winter 1941}")
	first := submit(t, f, "fair", raid)
	if w := first.Waiting; w == nil || w.Roll == nil || len(w.Roll.Cosigners) != 1 || w.Roll.Cosigners[0] != "Anna" {
		t.Fatalf("%+v", first.Waiting)
	}
	cosign := func(by *tree.WitnessKey, at time.Time) (service.CosignedHead, error) {
		c, err := f.Find("fair")
		if err != nil {
			t.Fatal(err)
		}
		k, err := f.Checkpoint(t.Context(), c, c.Events)
		if err != nil {
			t.Fatal(err)
		}
		x, err := tree.Parse(k.Note, verifier(t, f))
		if err != nil {
			t.Fatal(err)
		}
		line, err := x.Cosign(by, at.Unix())
		if err != nil {
			t.Fatal(err)
		}
		return f.Cosign(t.Context(), "fair", k.Note+line)
	}
	if a, err := cosign(ben, time.Now()); err != nil || len(a.Seats) != 1 || a.Roll != nil {
		t.Errorf("his own side's: %+v, %v", a, err)
	}
	if _, err := cosign(anna, first.Waiting.Roll.Due); err == nil || !strings.Contains(err.Error(), "by their clocks") {
		t.Errorf("a wrong clock: %v", err)
	}
	until(t, f, "fair", func(w *timeline.Waiting) bool { return strings.Contains(w.Roll.Trouble, "program of Anna") })
	if _, err := cosign(anna, time.Now()); err == nil || !strings.Contains(err.Error(), "came before: the roll #") {
		t.Errorf("%v", err)
	}
	round := uint64(0)
	until(t, f, "fair", func(w *timeline.Waiting) bool { round = w.Roll.Round; return w.Roll.Lapses == 1 })
	if a, err := cosign(anna, time.Now()); err != nil || a.Roll == nil ||
		len(a.Roll.Cosigned) != 1 || a.Roll.Cosigned[0].Witness != "Anna" || len(a.Seats) != 1 {
		t.Fatalf("%+v, %v", a, err)
	}
	text := fmt.Sprintf("%d %s\n", round, m.Signature(round))
	if err := os.WriteFile(filepath.Join(rounds, m.Chain), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	until(t, f, "fair", func(w *timeline.Waiting) bool { return w == nil })
	x, err := f.Explain(t.Context(), "fair", first.Waiting.Index)
	if err != nil || x.Roll == nil || x.Roll.Round == nil || !x.Roll.Follows || !x.Roll.Round.Met ||
		len(x.Roll.Round.Cosigned) != 1 || !strings.Contains(x.Roll.Round.Note, verifier(t, f).Name()) {
		t.Errorf("the roll is explained by %+v, %v", x.Roll, err)
	}
}

func verifier(t *testing.T, f *service.Service) tree.Verifier {
	t.Helper()
	k, err := tree.ParseVerifier(f.Standing().Key)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// keyed gives a seat a key.
func keyed(t *testing.T, f *service.Service, c ledger.Campaign, seat string) *tree.WitnessKey {
	t.Helper()
	key, err := tree.NewWitnessKey(rand.Reader, envelope.KeyName(seat, c.ID.String()))
	if err != nil {
		t.Fatal(err)
	}
	now, err := f.Find(c.ID.String())
	if err != nil {
		t.Fatal(err)
	}
	k, err := f.Checkpoint(t.Context(), now, now.Events)
	if err != nil {
		t.Fatal(err)
	}
	request, err := envelope.KeyRequest(envelope.KeyEntry{Key: key.Verifier().String()})
	if err != nil {
		t.Fatal(err)
	}
	x := envelope.Command{Campaign: c.ID.String(), Seat: seat, ID: envelope.KeyID(key.Verifier().Fingerprint()),
		Seen: envelope.Seen{Events: now.Events, Root: k.Root}, Request: request,
		NotAfter: time.Now().Add(time.Minute).UTC().Truncate(time.Second)}
	text, err := x.Sign(key)
	if err != nil {
		t.Fatal(err)
	}
	a, err := f.Umpire().HearSigned(c.ID, replay.SignedCommand{Envelope: text, Invited: true})
	if err != nil || a.Events != 1 {
		t.Fatalf("%+v, %v", a, err)
	}
	return key
}

// Whom the host cannot ask, nobody has to wait for.
func TestCheckAskable(t *testing.T) {
	t.Parallel()
	k, err := tree.NewWitnessKey(strings.NewReader(strings.Repeat("anna", 8)), "anna")
	if err != nil {
		t.Fatal(err)
	}
	for policy, want := range map[string]string{
		"":                                       "--witnesses FILE",
		"nonsense":                               "this is no policy",
		"witness a " + k.String() + "\nquorum a": "a: the policy has no URL",
		"witness a " + k.String() + " http://example.org\nquorum a":  "is on another machine",
		"witness a " + k.String() + " https://example.org\nquorum a": "",
	} {
		err := dice.CheckAskable(replay.NewCampaign{Dice: campaign.Beacon, Witnesses: policy})
		if (err != nil) != (want != "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", policy, err, want)
		}
	}
	if err := dice.CheckAskable(replay.NewCampaign{Witnesses: "x"}); err == nil {
		t.Error("witnesses for dice by a chain")
	}
}
