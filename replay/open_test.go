package replay_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/keys"
)

func TestOpenRefuses(t *testing.T) {
	d := newHost(t)
	d.open("taken", "seed", nil)
	for _, o := range []struct {
		opening replay.NewCampaign
		err     error
	}{
		{replay.NewCampaign{Name: "", System: "awaw"}, replay.ErrName},
		{replay.NewCampaign{Name: "Atlantic", System: "awaw"}, replay.ErrName},
		{replay.NewCampaign{Name: "1939", System: "awaw"}, replay.ErrName},
		{replay.NewCampaign{Name: strings.Repeat("a", 49), System: "awaw"}, replay.ErrName},
		{replay.NewCampaign{Name: "other", System: "awaw", Note: strings.Repeat("a", 5000)}, replay.ErrNote},
		{replay.NewCampaign{Name: "other", System: "chess"}, campaign.ErrUnknownSystem},
		{replay.NewCampaign{Name: "taken", System: "awaw"}, ledger.ErrNameTaken},
	} {
		if _, _, err := d.umpire.Open(o.opening); !errors.Is(err, o.err) {
			t.Errorf("%+v: %v", o.opening, err)
		}
	}
	if _, _, err := d.umpire.Open(replay.NewCampaign{Name: "other", System: "awaw", Edition: "9"}); err == nil ||
		!strings.Contains(err.Error(), "edition") {
		t.Errorf("edition 9: %v", err)
	}
	for name, value := range map[string]string{"low_roll": "high", "high_roll": "column_2"} {
		_, violations, err := d.umpire.Open(replay.NewCampaign{Name: "other", System: "awaw",
			Options: map[string]string{name: value}})
		if err != nil || len(violations) != 1 || violations[0].Field != name {
			t.Errorf("%s=%s: %v, %v", name, value, violations, err)
		}
	}
	if got := len(d.ledger.Campaigns()); got != 1 {
		t.Errorf("%d campaigns", got)
	}
	if _, err := d.umpire.Find("nowhere"); !errors.Is(err, campaign.ErrUnknownCampaign) {
		t.Errorf("find: %v", err)
	}
}

// TestSecretFile: whoever opens a campaign keeps its secret in a file of his own, and without
// it the campaign can be read and not played.
func TestSecretFile(t *testing.T) {
	d := newHost(t)
	c := d.open("secret", "", nil)
	other := d.open("secret-2", "", nil)
	if c.secret() == other.secret() || c.secret().IsZero() {
		t.Error("two campaigns have one secret")
	}
	path := filepath.Join(d.dir, "secrets", c.id.ID.String())
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	stored := keys.NewKeys(filepath.Dir(path))
	if err := stored.Keep(c.id.ID, keys.NewSecrets(c.secret())); err != nil {
		t.Errorf("kept again: %v", err)
	}
	if err := stored.Keep(c.id.ID, keys.NewSecrets(events.Hash{1})); !errors.Is(err, os.ErrExist) {
		t.Errorf("replaced: %v", err)
	}
	if left, _ := filepath.Glob(filepath.Join(d.dir, "secrets", "new-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	for _, text := range []string{"", "not hexadecimal", strings.Repeat("0", 64)} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		d.replaceUmpire()
		if _, err := c.hear(command("a", "turn", `{"turn":"Fall 1939"}`)); !errors.Is(err, keys.ErrNoSecret) {
			t.Errorf("%q: %v", text, err)
		}
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if _, err := c.hear(command("a", "turn", `{"turn":"Fall 1939"}`)); !errors.Is(err, keys.ErrNoSecret) {
		t.Errorf("missing: %v", err)
	}
	if at := c.at(); at.Next != 3 {
		t.Errorf("read: %d events", at.Next)
	}
}

// TestDemo: a published seed gives the same campaign everywhere, and says so for ever.
func TestDemo(t *testing.T) {
	one, two := newHost(t).open("demo", "seed", nil), newHost(t).open("demo", "seed", nil)
	compare(t, "a second opening", two.meanings(), one.meanings())
	var p events.CampaignOpened
	if first := one.all()[0]; !first.Read(&p) || !p.Demo {
		t.Error("the first event does not say that the campaign is a demonstration")
	}
	for _, different := range []*harness{newHost(t).open("demo-2", "seed", nil), newHost(t).open("demo", "seeds",
		nil)} {
		if different.id.ID == one.id.ID || different.secret() == one.secret() {
			t.Error("another name or seed gives the same campaign")
		}
	}
}
