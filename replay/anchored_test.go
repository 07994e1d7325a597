package replay_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/watu-ledger/watu/fixtures/longrun"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/keys"
	"github.com/watu-ledger/watu/replay/review"
	"github.com/watu-ledger/watu/rules"
)

// file is where a campaign's secret lies.
func (c *harness) file() string { return filepath.Join(c.dir, "secrets", c.id.ID.String()) }

// kept reads the file.
func (c *harness) kept() []byte {
	c.t.Helper()
	text, err := os.ReadFile(c.file())
	if err != nil {
		c.t.Fatal(err)
	}
	return text
}

// keeps writes the file, and begins with an umpire who has read nothing.
func (c *harness) keeps(text []byte) {
	c.t.Helper()
	if err := os.WriteFile(c.file(), text, 0o600); err != nil {
		c.t.Fatal(err)
	}
	c.replaceUmpire()
}

// earlier gives the file as earlier versions wrote it: without title and sum.
func earlier(text []byte) []byte {
	lines := bytes.SplitAfter(text, []byte("\n"))
	return bytes.Join(lines[1:len(lines)-2], nil)
}

// secondEpoch is a campaign that goes on in a second epoch, as after a restore.
func secondEpoch(t *testing.T, d *host, name string) *harness {
	c := d.open(name, "", nil)
	c.must("turn: Fall 1939\nentries:\n  - {id: points, allocate: {side: Britain, project: Ultra, points: 4}}\n  - " +
		"{id: draw, draw: Ultra}\n")
	if err := c.umpire.RotateSecret(c.id.ID); err != nil {
		t.Fatal(err)
	}
	c.must("turn: Winter 1939\nentries:\n  - {id: draw, draw: Ultra}\n")
	return c
}

// spoilt wants the secret to be found out, and no step to be taken.
func (c *harness) spoilt(how string) {
	c.t.Helper()
	if err := c.umpire.CheckSecret(c.id.ID); !errors.Is(err, keys.ErrNoSecret) {
		c.t.Errorf("%s: checked: %v", how, err)
	}
	if _, err := c.hear(command("spoilt", "turn", `{"turn":"Spring 1940"}`)); !errors.Is(err, keys.ErrNoSecret) {
		c.t.Errorf("%s: heard: %v", how, err)
	}
}

// TestSecretDamaged: no changed bit, no cut, no other campaign's and no older file passes, in the form of
// this version and in that of earlier ones as far as they say anything of the record.
func TestSecretDamaged(t *testing.T) {
	t.Parallel()
	d := newHost(t)
	c, other := secondEpoch(t, d, "damaged"), secondEpoch(t, d, "another")
	whole := c.kept()
	try := func(how string, text []byte) {
		t.Helper()
		c.keeps(text)
		c.spoilt(how)
	}
	apart := longrun.Of(8, 4, 1)
	for i := range whole {
		for bit := i % apart; bit < 8; bit += apart {
			text := bytes.Clone(whole)
			text[i] ^= 1 << bit
			try("a bit of "+string(text), text)
		}
		try("cut to "+string(whole[:i]), whole[:i])
	}
	old := earlier(whole)
	for i, b := range old {
		if at := strings.IndexByte("0123456789abcdef", b); at >= 0 {
			text := bytes.Clone(old)
			text[i] = "123456789abcdef0"[at]
			try("a digit of "+string(text), text)
		}
	}
	try("another campaign's", other.kept())
	try("another campaign's, of an earlier version", earlier(other.kept()))
	if err := os.Remove(c.file()); err != nil {
		t.Fatal(err)
	}
	c.replaceUmpire()
	c.spoilt("deleted")
	for _, text := range [][]byte{old, whole} { // what is whole goes on, also if it is of an earlier version
		c.keeps(text)
		if err := c.umpire.CheckSecret(c.id.ID); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
	c.must("turn: Spring 1940\nentries:\n  - {id: draw, draw: Ultra}\n")
	if err := other.umpire.CheckSecret(other.id.ID); err != nil {
		t.Errorf("the other campaign: %v", err)
	}
}

// TestSecretOlder: the file from before an epoch does not pass once that has begun, and a fresh secret
// that waits is not lost without a word.
func TestSecretOlder(t *testing.T) {
	c := newHost(t).open("older", "", nil)
	before := c.kept()
	if err := c.umpire.RotateSecret(c.id.ID); err != nil {
		t.Fatal(err)
	}
	waits := c.kept()
	c.keeps(bytes.Replace(waits, []byte("next "), []byte("nex"), 1))
	c.spoilt("without the fresh secret")
	c.keeps(waits)
	c.must("turn: Fall 1939\nentries:\n  - {id: points, allocate: {side: Britain, project: Ultra, points: 4}}\n")
	for _, text := range [][]byte{before, waits} {
		c.keeps(text)
		c.spoilt("an older one")
	}
}

// TestBegunElsewhere: an epoch that another host began with its own secret is no damage: the file says so,
// and once it has a fresh secret the campaign goes on.
func TestBegunElsewhere(t *testing.T) {
	theirs := secondEpoch(t, newHost(t), "elsewhere")
	mine := theirs.kept()
	lines := bytes.SplitAfter(earlier(mine), []byte("\n"))
	for _, old := range []bool{false, true} {
		f := theirs.copyOf(t)
		f.dir = t.TempDir()
		c := &harness{host: f, id: theirs.id, seat: theirs.seat}
		if err := keys.NewKeys(filepath.Join(f.dir, "secrets")).Keep(c.id.ID,
			keys.NewSecrets(theirs.secret())); err != nil {
			t.Fatal(err)
		}
		if old { // the first epoch's secret, as on the host that they have their copy from
			c.keeps(lines[0])
		}
		f.replaceUmpire()
		if _, err := f.umpire.Recover(records(theirs.records(0, campaign.Everything))); err != nil {
			t.Fatal(err)
		}
		if text := c.kept(); !bytes.Contains(text, []byte("\nelsewhere 2\nsha256 ")) {
			t.Errorf("the file does not say that an epoch was begun elsewhere: %q", text)
		}
		c.spoilt("of their epoch")
		if err := f.umpire.RotateSecret(c.id.ID); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if err := f.umpire.CheckSecret(c.id.ID); err != nil {
				t.Errorf("with a fresh secret: %v", err)
			}
			c.must("turn: Spring 1940\nentries:\n  - {id: later, draw: Ultra}\n")
		}
	}
}

// TestForsaken: a campaign whose secret is lost for good goes on with a fresh one, and what was judged before
// stands.
func TestForsaken(t *testing.T) {
	for _, how := range []string{"deleted", "damaged", "of the first epoch alone"} {
		c := secondEpoch(t, newHost(t), "forsaken")
		text := c.kept()
		switch how {
		case "deleted":
			if err := os.RemoveAll(filepath.Dir(c.file())); err != nil {
				t.Fatal(err)
			}
		case "damaged":
			text[60] ^= 1
			c.keeps(text)
		default:
			c.keeps(bytes.SplitAfter(earlier(text), []byte("\n"))[0])
		}
		c.replaceUmpire()
		c.spoilt(how)
		if err := c.umpire.ReplaceLostSecret(c.id.ID); err != nil {
			t.Fatal(err)
		}
		c.must("turn: Spring 1940\nentries:\n  - {id: later, draw: Ultra}\n")
		if err := c.umpire.CheckSecret(c.id.ID); err != nil {
			t.Errorf("%s: %v", how, err)
		}
		again, err := c.umpire.Trial(c.id.ID)
		if err == nil {
			err = again.Hear(func(h review.Heard) error {
				if len(h.Findings) > 0 || h.Unchecked != "" && !strings.Contains(h.Unchecked, "given up") {
					t.Errorf("%s: %+v", how, h)
				}
				return nil
			})
		}
		if err != nil {
			t.Error(err)
		}
		if e := c.at(); e.Epoch != 3 {
			t.Errorf("%s: epoch %d", how, e.Epoch)
		}
	}
}

// TestBoardDamaged: a board that is missing or changed keeps the campaign from being played on, and no other.
func TestBoardDamaged(t *testing.T) {
	d := newHost(t)
	c := d.onBoard("straits")("convoys", "s1", nil)
	other := d.open("cards", "s1", nil)
	at := c.at().Board.Files[0]
	path := filepath.Join(c.dir, "boards", at.Hash.String())
	whole, err := os.ReadFile(path)
	if err != nil || sha256.Sum256(whole) != at.Hash {
		t.Fatal(err)
	}
	for _, text := range [][]byte{nil, whole[:len(whole)/2], bytes.ToUpper(whole)} {
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		c.replaceUmpire()
		if _, err := c.hear(command("t", "turn", `{"turn":"Round 1"}`)); !errors.Is(err, replay.ErrNoBoard) ||
			!strings.Contains(err.Error(), path) {
			t.Errorf("%d bytes: %v", len(text), err)
		}
	}
	if _, err := other.hear(command("t", "turn", `{"turn":"Fall 1939"}`)); err != nil {
		t.Errorf("the other campaign: %v", err)
	}
}

// TestRefusalDamaged: of refusals that are kept no changed bit makes another: the line is lost.
func TestRefusalDamaged(t *testing.T) {
	c := newHost(t).open("refused", "s1", nil)
	for _, id := range []string{"first", "second"} {
		if a, err := c.hear(command(id, "turn", `{"turn":"Spring 1950"}`)); err != nil || a.Verdict != rules.Refused {
			t.Fatal(a, err)
		}
	}
	dir := filepath.Join(c.dir, "refusals")
	want, err := replay.NewRefusals(dir).List(c.id.ID)
	if err != nil || len(want) != 2 {
		t.Fatal(want, err)
	}
	path := filepath.Join(dir, c.id.ID.String())
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	apart := longrun.Of(8, 1)
	for i := range whole {
		for bit := i % apart; bit < 8; bit += apart {
			text := bytes.Clone(whole)
			text[i] ^= 1 << bit
			if err := os.WriteFile(path, text, 0o600); err != nil {
				t.Fatal(err)
			}
			list, err := replay.NewRefusals(dir).List(c.id.ID)
			if err != nil || len(list) > 1 && !reflect.DeepEqual(list, want) {
				t.Fatalf("%s: %v, %v", text, list, err)
			}
			for _, x := range list {
				if !reflect.DeepEqual(x, want[0]) && !reflect.DeepEqual(x, want[1]) {
					t.Fatalf("%s is read as %+v", text, x)
				}
			}
		}
	}
}

// TestEpochsBeginMeanwhile: whoever checks a secret, however often, while epochs begin finds no damage.
func TestEpochsBeginMeanwhile(t *testing.T) {
	d := newHost(t)
	c := d.open("meanwhile", "", nil)
	playing := d.umpire
	d.replaceUmpire()
	checker := d.umpire
	d.umpire = playing
	var checks sync.WaitGroup
	ended := make(chan struct{})
	for range 2 {
		checks.Go(func() {
			for {
				if err := checker.CheckSecret(c.id.ID); err != nil {
					t.Errorf("an epoch began meanwhile: %v", err)
					return
				}
				select {
				case <-ended:
					return
				default:
				}
			}
		})
	}
	const epochs = 12
	for n := range epochs {
		if err := c.umpire.RotateSecret(c.id.ID); err != nil {
			t.Fatal(err)
		}
		c.must(fmt.Sprintf("turn: Fall 1939\nentries:\n  - {id: p%d, facts: {cves: {Atlantic: %d}}}\n", n, n))
	}
	close(ended)
	checks.Wait()
	if epoch := c.now().Epoch; epoch != epochs+1 {
		t.Errorf("epoch %d is on", epoch)
	}
}
