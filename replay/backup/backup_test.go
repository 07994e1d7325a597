package backup_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"filippo.io/age"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/backup"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/keys"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/awaw"
)

// house is a ledger's directory with everything in it.
type house struct {
	t      *testing.T
	dir    string
	ledger *ledger.Ledger
	umpire *replay.Umpire
}

func open(t *testing.T, dir string) *house {
	t.Helper()
	l, err := ledger.Open(dir, ledger.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	u := replay.NewUmpire(l, keys.NewKeys(filepath.Join(dir, "secrets")),
		replay.NewBoards(filepath.Join(dir, "boards")), awaw.System())
	return &house{t, dir, l, u}
}

func (h *house) campaign(name string) ledger.Campaign {
	h.t.Helper()
	c, violations, err := h.umpire.Open(replay.NewCampaign{Name: name, System: "awaw"})
	if err != nil || len(violations) > 0 {
		h.t.Fatal(err, violations)
	}
	return c
}

func (h *house) hear(c ledger.Campaign, id, verb, body string) {
	h.t.Helper()
	a, err := h.umpire.Hear(c.ID, rules.Command{ID: id, Seat: campaign.UmpireSeat, Verb: verb,
		Body: json.RawMessage(body)})
	if err != nil || a.Verdict != rules.Allowed {
		h.t.Fatal(a, err)
	}
}

// played is a ledger with a turn of two campaigns: cards drawn, dice thrown.
func played(t *testing.T) (*house, ledger.Campaign) {
	h := open(t, filepath.Join(t.TempDir(), "ledger"))
	h.hear(h.campaign("another"), "t", "turn", `{"turn":"Fall 1939"}`)
	c := h.campaign("atlantic")
	h.hear(c, "t", "turn", `{"turn":"Fall 1939"}`)
	h.hear(c, "a", "allocate", `{"allocate":{"side":"Britain","project":"Ultra","points":6}}`)
	h.hear(c, "d", "draw", `{"draw":"Ultra"}`)
	h.hear(c, "s", "submarine warfare", `{"submarine warfare":{"box":"Atlantic","submarines":8,"asw":30},"cards":[]}`)
	return h, c
}

func key(t *testing.T) *age.X25519Identity {
	t.Helper()
	k, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// TestRestore: what is restored has the same heads, commands, openings and secrets, and goes on
// in a new epoch whose dice the backup does not tell.
func TestRestore(t *testing.T) {
	h, c := played(t)
	k := key(t)
	var file bytes.Buffer
	written, err := backup.Write(&file, h.ledger, h.dir, k.Recipient())
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "elsewhere")
	read, err := backup.Restore(dir, &file, k)
	if err != nil {
		t.Fatal(err)
	}
	if !read.Equal(written) || !read.Equal(h.ledger.Checkpoint()) {
		t.Fatalf("restored %+v of %+v", read, written)
	}
	r := open(t, dir)
	before, _ := r.ledger.Campaign(c.ID)
	if before.Head != mustFind(t, h, c).Head {
		t.Error("the head differs")
	}
	a, err := r.umpire.Hear(c.ID, rules.Command{ID: "s", Seat: campaign.UmpireSeat, Verb: "submarine warfare",
		Body: json.RawMessage(`{"submarine warfare":{"box":"Atlantic","submarines":8,"asw":30},"cards":[]}`)})
	if err != nil || !a.Again {
		t.Errorf("a command applied before the backup: %+v, %v", a, err)
	}
	r.hear(c, "t2", "turn", `{"turn":"Winter 1939"}`)
	r.hear(c, "d2", "draw", `{"draw":"Ultra"}`)
	epochs := 0
	for record, err := range r.ledger.Read(c.ID, before.Events, campaign.Everything) {
		if err != nil {
			t.Fatal(err)
		}
		e, _ := events.Decode(record.Bytes)
		if e.Type == "epoch_begun" {
			epochs++
		}
		if e.Epoch != 2 {
			t.Errorf("event %d (%s) is of epoch %d", e.Index, e.Type, e.Epoch)
		}
	}
	if epochs != 1 {
		t.Errorf("%d epochs began", epochs)
	}
	fresh(t, h, r, c)
}

func mustFind(t *testing.T, h *house, c ledger.Campaign) ledger.Campaign {
	t.Helper()
	found, ok := h.ledger.Campaign(c.ID)
	if !ok {
		t.Fatal("no campaign")
	}
	return found
}

// fresh: the old secret says nothing of the new epoch.
func fresh(t *testing.T, old, now *house, c ledger.Campaign) {
	t.Helper()
	was, err := keys.NewKeys(filepath.Join(old.dir, "secrets")).Secrets(c.ID)
	if err != nil {
		t.Fatal(err)
	}
	is, err := keys.NewKeys(filepath.Join(now.dir, "secrets")).Secrets(c.ID)
	if err != nil {
		t.Fatal(err)
	}
	if is.ForEpoch(1) != was.ForEpoch(1) || is.ForEpoch(2) == was.ForEpoch(2) {
		t.Error("the second epoch grows from the first one's secret, or the first was lost")
	}
}

// TestOnline: a backup that is written while campaigns go on holds a moment of them.
func TestOnline(t *testing.T) {
	h, c := played(t)
	var writing sync.WaitGroup
	stop := make(chan struct{})
	writing.Go(func() {
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
			}
			_, _ = h.umpire.Hear(c.ID, rules.Command{ID: fmt.Sprint("f", i), Seat: campaign.UmpireSeat, Verb: "facts",
				Body: json.RawMessage(`{"facts":{"cves":{"Atlantic":7}}}`)})
		}
	})
	k := key(t)
	for i := range 5 {
		var file bytes.Buffer
		written, err := backup.Write(&file, h.ledger, h.dir, k.Recipient())
		if err != nil {
			t.Fatal(err)
		}
		read, err := backup.Restore(filepath.Join(t.TempDir(), fmt.Sprint(i)), &file, k)
		if err != nil || !read.Equal(written) {
			t.Fatalf("%+v of %+v: %v", read, written, err)
		}
	}
	close(stop)
	writing.Wait()
}

// TestDamaged: a file that was cut or changed anywhere makes no ledger.
func TestDamaged(t *testing.T) {
	h, _ := played(t)
	k := key(t)
	var file bytes.Buffer
	if _, err := backup.Write(&file, h.ledger, h.dir, k.Recipient()); err != nil {
		t.Fatal(err)
	}
	whole := file.Bytes()
	refuse := func(what string, text []byte, want error, keys ...age.Identity) {
		t.Helper()
		dir := filepath.Join(t.TempDir(), "restored")
		_, err := backup.Restore(dir, bytes.NewReader(text), keys...)
		if !errors.Is(err, want) {
			t.Errorf("%s: %v", what, err)
		}
		left, _ := os.ReadDir(filepath.Dir(dir))
		if len(left) > 0 {
			t.Errorf("%s leaves %v behind", what, left)
		}
	}
	for i := 0; i < len(whole); i += 1 + len(whole)/40 {
		refuse(fmt.Sprintf("cut at %d of %d", i, len(whole)), whole[:i], backup.ErrDamaged, k)
		flipped := bytes.Clone(whole)
		flipped[i] ^= 4
		if _, err := backup.Restore(filepath.Join(t.TempDir(), "restored"), bytes.NewReader(flipped), k); err == nil {
			t.Errorf("a bit at %d makes no difference", i)
		}
	}
	refuse("one byte missing", whole[:len(whole)-1], backup.ErrDamaged, k)
	refuse("a byte more", append(bytes.Clone(whole), 0), backup.ErrDamaged, k)
	refuse("another key", whole, backup.ErrKey, key(t))
	refuse("no backup", []byte("campaign: atlantic\n"), backup.ErrDamaged, k)
	var other bytes.Buffer
	sealed, err := age.Encrypt(&other, k.Recipient())
	if err != nil {
		t.Fatal(err)
	}
	_, _ = io.WriteString(sealed, "something else")
	if err := sealed.Close(); err != nil {
		t.Fatal(err)
	}
	refuse("sealed, and no backup", other.Bytes(), backup.ErrDamaged, k)
}

// TestPassphrase: a passphrase serves as well as a key, and only the right one.
func TestPassphrase(t *testing.T) {
	h, _ := played(t)
	to, err := age.NewScryptRecipient("convoy HX 84")
	if err != nil {
		t.Fatal(err)
	}
	to.SetWorkFactor(10)
	var file bytes.Buffer
	if _, err := backup.Write(&file, h.ledger, h.dir, to); err != nil {
		t.Fatal(err)
	}
	for phrase, want := range map[string]error{"convoy HX 84": nil, "convoy hx 84": backup.ErrKey} {
		from, err := age.NewScryptIdentity(phrase)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := backup.Restore(filepath.Join(t.TempDir(), "x"), bytes.NewReader(file.Bytes()),
			from); !errors.Is(err, want) {
			t.Errorf("%q: %v", phrase, err)
		}
	}
}

// TestNotEmpty: a directory that holds something is left alone.
func TestNotEmpty(t *testing.T) {
	h, _ := played(t)
	k := key(t)
	var file bytes.Buffer
	if _, err := backup.Write(&file, h.ledger, h.dir, k.Recipient()); err != nil {
		t.Fatal(err)
	}
	if _, err := backup.Restore(h.dir, &file, k); err == nil {
		t.Error("restored over a ledger")
	}
}
