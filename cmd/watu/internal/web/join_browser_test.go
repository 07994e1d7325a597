package web_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/cmd/watu/internal/seatfile"
	"github.com/watu-ledger/watu/cmd/watu/internal/seats"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/campaign"
)

// A player joins by the link in his browser, and signs there what he enters: the umpire hears it as what his seat
// signed. The key cannot be read out, and is there when the page comes again.
func TestJoinInTheBrowser(t *testing.T) {
	beside(t)
	g := played(t)
	f := g.service
	if _, err := f.OpenCampaign(replay.NewCampaign{Name: "signed", System: "awaw", Seats: []campaign.Seat{
		{Name: "Anna & Co", Sides: []string{"European Axis", "Japan"}}}}); err != nil {
		t.Fatal(err)
	}
	g.submit(t, "signed", "turn: Fall 1939\n")
	c, err := f.Find("signed")
	if err != nil {
		t.Fatal(err)
	}
	k, err := f.Checkpoint(t.Context(), c, c.Events)
	if err != nil {
		t.Fatal(err)
	}
	v, err := seats.NewInvitation(f, "signed", seats.Invite{Seat: "Anna & Co"}, k.Key)
	if err != nil {
		t.Fatal(err)
	}
	b := browse(t, g.url)
	b.visit(strings.TrimPrefix(seatfile.Link("", v), g.url))
	b.until("the button", `!document.getElementById("make").hidden`)
	if ask[string](b, "location.href") != strings.TrimSuffix(g.url, "/")+"/join" {
		t.Error("the code of the invitation stays in the address")
	}
	b.click("#make")
	b.until("the key", `!document.getElementById("enter").hidden`)
	at, err := f.Umpire().AtHead(c.ID)
	if err != nil {
		t.Fatal(err)
	}
	key, keyed := at.KeyOf("Anna & Co")
	if !keyed || !strings.Contains(b.text("#prints"), key.Key.Fingerprint()) {
		t.Fatalf("%v: %s", keyed, b.text("#join"))
	}
	if says := ask[string](b, `new Promise((done) => {
		const open = indexedDB.open("watu", 1);
		open.onsuccess = () => {
			const all = open.result.transaction("seats").objectStore("seats").getAll();
			all.onsuccess = () => crypto.subtle.exportKey("pkcs8", all.result[0].key).then(() => done("exported"),
				(e) => done(e.name));
		};
	})`); says != "InvalidAccessError" {
		t.Errorf("the key can be read out: %s", says)
	}
	enter := func(entry, says string) {
		t.Helper()
		ask[bool](b, fmt.Sprintf(`document.getElementById("entry").value = %q, true`, entry))
		b.click("#sign")
		b.until("what became of "+entry,
			fmt.Sprintf(`document.querySelector("#join [role=status]").innerText.includes(%q)`, says))
	}
	allocation := `{"allocate": {"side": "Japan", "project": "Magic", "points": 1}}`
	enter(allocation, "research points in Magic")
	last := func() timeline.LogEvent {
		t.Helper()
		c, err := f.Find("signed")
		if err != nil {
			t.Fatal(err)
		}
		list, err := f.Log(t.Context(), c.ID.String(), c.Events-1, c.Events)
		if err != nil {
			t.Fatal(err)
		}
		return list[0]
	}
	if e := last(); e.Signed == nil || e.Seat != "Anna & Co" {
		t.Errorf("the record has not what she signed: %+v", e)
	}
	n := last().Index
	b.expect("status 422") // which the page shows
	enter(`{"allocate": {"side": "Britain", "project": "Ultra", "points": 1}}`, "no act of your sides")
	if last().Index != n {
		t.Errorf("#%d is recorded", last().Index)
	}
	g.submit(t, "signed", "turn: Winter 1939\n")
	b.visit("/join")
	b.until("the seat again", `!document.getElementById("enter").hidden`)
	enter(allocation, "research points in Magic")
}
