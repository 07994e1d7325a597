package main

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/fixtures"
	"github.com/watu-ledger/watu/replay/keys"
	"github.com/watu-ledger/watu/rules/chance"
)

// TestCanary plays the bundled campaigns on a server that listens, as a moderator would, and
// collects all that the public or a single side may get to see: every message on NATS, the
// log, the public views, what may be pasted to a player, every error. No salt, no secret, no
// link that is not revealed and no opening that the rules have not disclosed is in it.
func TestCanary(t *testing.T) {
	for _, f := range fixtures.Campaigns() {
		if f.System != "awaw" {
			continue // the others seal nothing
		}
		t.Run(f.Name, func(t *testing.T) {
			c := &canary{t: t, dir: filepath.Join(t.TempDir(), "ledger"), fixture: f, seen: map[string][]byte{}}
			c.play()
			c.look()
		})
	}
}

type canary struct {
	t       *testing.T
	dir     string
	fixture fixtures.Campaign
	seen    map[string][]byte // what was seen, by where
}

// watu runs a command, keeps what it printed under the name given, and wants success unless
// fails says so.
func (c *canary) watu(name string, fails bool, args ...string) {
	c.t.Helper()
	cmd := exec.Command("watu", append(args, "--dir", c.dir)...)
	out, err := cmd.CombinedOutput()
	if (err != nil) != fails {
		c.t.Fatalf("watu %v: %v\n%s", args, err, out)
	}
	c.seen[name] = append(c.seen[name], out...)
}

func (c *canary) play() {
	c.t.Helper()
	address := freeAddress(c.t)
	server := exec.Command("watu", "serve", "--dir", c.dir, "--nats-listen", address)
	var output bytes.Buffer
	server.Stdout, server.Stderr = &output, &output
	if err := server.Start(); err != nil {
		c.t.Fatal(err)
	}
	defer func() {
		_ = server.Process.Kill()
		_ = server.Wait()
		c.seen["what the server says"] = output.Bytes()
	}()
	for deadline := time.Now().Add(time.Minute); !answering(c.dir); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			c.t.Fatal("waited in vain for the server")
		}
	}
	heard := c.listen(address)
	args := []string{"campaign", "new", c.fixture.Name, "--system", c.fixture.System, "--seed", c.fixture.Seed}
	for name, value := range c.fixture.Options {
		args = append(args, "--option", name+"="+value)
	}
	c.watu("campaign new", false, args...)
	for _, file := range c.fixture.Files {
		path := filepath.Join(c.t.TempDir(), file.Name)
		if err := os.WriteFile(path, file.Data, 0o600); err != nil {
			c.t.Fatal(err)
		}
		if file.Kind == fixtures.Correction {
			c.watu("corrections", false, "correct", c.fixture.Name, c.resultOf(file.Entry), "-f", path)
			continue
		}
		c.watu("for Japan", false, "submit", c.fixture.Name, "-f", path, "--for", "Japan")
		c.watu("an error", true, "submit", c.fixture.Name, "-e", "{id: bluff, submarine warfare: {box: Pacific, "+
			"side: Japan, submarines: 1, asw: 1}, cards: [{Japan: wild}]}", "--for", "Japan")
	}
	c.watu("the log", false, "log", c.fixture.Name)
	c.watu("the log as JSON", false, "log", c.fixture.Name, "--json")
	for _, view := range []string{"pools", "strategic"} {
		c.watu("the public view of "+view, false, "show", c.fixture.Name, view, "--json")
	}
	c.watu("the public replay", false, "replay", c.fixture.Name, "--json", "--by", "phase")
	c.watu("a difference", false, "diff", c.fixture.Name, "--from", "3", "--to", "400", "--json")
	c.seen["NATS"] = heard()
}

// listen collects every message under watu.> as a guest, until the function is called.
func (c *canary) listen(address string) func() []byte {
	c.t.Helper()
	nc, err := nats.Connect("nats://" + address)
	if err != nil {
		c.t.Fatal(err)
	}
	messages := make(chan *nats.Msg, 1<<16)
	if _, err := nc.ChanSubscribe("watu.v1.>", messages); err != nil {
		c.t.Fatal(err)
	}
	if err := nc.Flush(); err != nil {
		c.t.Fatal(err)
	}
	return func() []byte {
		var all bytes.Buffer
		for quiet := false; !quiet; {
			select {
			case m := <-messages:
				fmt.Fprintf(&all, "%s\n%s\n", m.Subject, m.Data)
			case <-time.After(time.Second):
				quiet = true
			}
		}
		nc.Close()
		return all.Bytes()
	}
}

// resultOf gives the index of the result that an entry came to.
func (c *canary) resultOf(entry string) string {
	c.t.Helper()
	out, err := exec.Command("watu", "log", c.fixture.Name, "--json", "--dir", c.dir).Output()
	if err != nil {
		c.t.Fatal(err)
	}
	for line := range bytes.Lines(out) {
		var v events.View
		if json.Unmarshal(line, &v) == nil && v.CommandID == entry && v.Type == "result_adjudicated" {
			return fmt.Sprint(v.Index)
		}
	}
	c.t.Fatalf("no entry %q came to a result", entry)
	return ""
}

// look opens the record when the server is gone, and searches for its secrets.
func (c *canary) look() {
	c.t.Helper()
	l, err := ledger.Open(c.dir, ledger.Options{})
	if err != nil {
		c.t.Fatal(err)
	}
	defer l.Close()
	campaign, _ := l.Find(c.fixture.Name)
	var log []events.Event
	for r, err := range l.Read(campaign.ID, 0, math.MaxUint64) {
		if err != nil {
			c.t.Fatal(err)
		}
		e, err := events.Decode(r.Bytes)
		if err != nil {
			c.t.Fatal(err)
		}
		log = append(log, e)
		c.seen["stored bytes"] = append(c.seen["stored bytes"], r.Bytes...)
		if !bytes.Contains(c.seen["NATS"], r.Bytes) {
			c.t.Fatalf("event %d was not published as stored", e.Index)
		}
	}
	known, err := l.Openings(campaign.ID, 0, math.MaxUint64)
	if err != nil {
		c.t.Fatal(err)
	}
	disclosed := map[events.Hash]bool{}
	for i := range log {
		for _, o := range log[i].Openings {
			disclosed[o.Salt] = true
		}
	}
	hidden := 0
	for _, o := range known {
		if !disclosed[o.Salt] {
			hidden++
			c.absent(fmt.Sprintf("the salt of %q in event %d", o.Slot, o.Index), o.Salt)
		}
	}
	if hidden < 50 || len(disclosed) < 10 {
		c.t.Errorf("%d openings hidden, %d disclosed: the campaign tests little", hidden, len(disclosed))
	}
	secrets, err := keys.NewKeys(filepath.Join(c.dir, "secrets")).Secrets(campaign.ID)
	if err != nil {
		c.t.Fatal(err)
	}
	secret := secrets.ForEpoch(1)
	c.absent("the campaign's secret", secret)
	c.links(campaign.ID, secret, log)
	c.pasted()
}

// links looks for the next links of the dice, and for every link of the draws.
func (c *canary) links(id ulid.ULID, secret events.Hash, log []events.Event) {
	used := uint64(0)
	for i := range log {
		var p events.RollDeclared
		if log[i].Read(&p) && log[i].Corrects == 0 {
			used = max(used, p.Sources[0].Position)
		}
	}
	dice := chance.NewChain(chance.ChainSeed(secret, id, 1, chance.Dice), chance.Length)
	if !bytes.Contains(c.seen["stored bytes"], link(dice, used)) {
		c.t.Errorf("link %d of the dice is revealed, and was not found: the search is blind", used)
	}
	for k := used + 1; k < used+20; k++ {
		c.absent(fmt.Sprintf("link %d of the dice", k), dice.Link(k))
	}
	for _, side := range []string{"European Axis", "Britain", "Japan", "United States"} {
		draws := chance.NewChain(chance.ChainSeed(secret, id, 1, chance.Draws(side)), chance.Length)
		for k := uint64(1); k < 20; k++ {
			c.absent(fmt.Sprintf("link %d of the draws of %s", k, side), draws.Link(k))
		}
	}
}

func link(chain *chance.Chain, k uint64) []byte {
	h := chain.Link(k)
	return h[:]
}

// pasted looks at what was printed for Japan: where a hand is told, it is Japan's.
func (c *canary) pasted() {
	text := string(c.seen["for Japan"])
	if !strings.Contains(text, "For your eyes only: Magic") {
		c.t.Error("nothing was pasted for Japan's eyes: the search is blind")
	}
	if strings.Contains(text, "For your eyes only: Ultra") {
		c.t.Error("an Ultra hand was pasted to Japan")
	}
}

// absent searches everything seen for 32 bytes, raw and in the usual letters.
func (c *canary) absent(what string, h events.Hash) {
	c.t.Helper()
	for where, text := range c.seen {
		for _, form := range [][]byte{h[:], []byte(h.String()), []byte(strings.ToUpper(h.String())),
			[]byte(base64.StdEncoding.EncodeToString(h[:])), []byte(hex.EncodeToString(h[:8]))} {
			if bytes.Contains(text, form) {
				c.t.Errorf("%s is in %s", what, where)
				break
			}
		}
	}
}

func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}
