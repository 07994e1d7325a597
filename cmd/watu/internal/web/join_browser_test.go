package web_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/watu-ledger/watu/cmd/watu/internal/seats"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/events/beacon/beacontest"
	"github.com/watu-ledger/watu/events/tree"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/rules"
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
	v, err := seats.NewInvitation(t.Context(), f, "signed", seats.Invite{Seat: "Anna & Co", By: seats.ByKey})
	if err != nil {
		t.Fatal(err)
	}
	b := browse(t, g.url)
	b.visit(strings.TrimPrefix(v.Link(""), g.url))
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
	b.visit("/campaigns/signed")
	text := b.text("#keys")
	if !strings.Contains(text, key.Key.Fingerprint()) || !strings.Contains(text, "invitation") {
		t.Errorf("the campaign's page does not list her key: %q", text)
	}
	b.visit("/join")
	b.until("the seat again", `!document.getElementById("enter").hidden`)
	enter(allocation, "research points in Magic")

	if where := b.text("#where"); where != "signed: Winter 1939 research" || !ask[bool](b,
		`document.querySelector("#where a").pathname === "/campaigns/signed"`) ||
		!strings.Contains(b.text("#enter"), `such as {"answer": {"European Axis": "pass"}}`) {
		t.Errorf("where it stands: %q, %q", where, b.text("#enter"))
	}
	enter(`{"facts": {"axis controls": ["Colombo"]}}`, "Warning: no rule asks whether the European Axis holds Colombo")
	cosignedInTheBrowser(t, b, f, key)
	enter(`{"draw": "Ultra"}`, "draws")
	enter(`{"submarine warfare": {"box": "Atlantic", "submarines": 5, "asw": 5}}`, "Question to European Axis")
	n = last().Index
	answer := func(button string) string {
		t.Helper()
		ask[bool](b, `document.getElementById("entry").value = '{"answer": {"European Axis": "pass"}}', true`)
		b.click("#sign")
		b.until("the question", `!document.getElementById("asks").hidden`)
		words := b.text("#words")
		b.click(button)
		b.until("the end of it", `!document.getElementById("sign").disabled`)
		return words
	}
	if words := answer("#no"); !strings.Contains(words, fmt.Sprintf("#%d, question to European Axis: ", n)) ||
		!strings.Contains(words, `{"European Axis":"pass"}`) || last().Index != n {
		t.Errorf("%q, and #%d is recorded", words, last().Index)
	}
	if answer("#yes"); last().Index == n {
		t.Errorf("the answer is not recorded: %s", b.text("#join [role=status]"))
	}
	forkedInTheBrowser(b)
}

// forkedInTheBrowser has the page see a record that does not extend the one that it keeps, and so sign no more.
func forkedInTheBrowser(b *tab) {
	b.Helper()
	const store = `new Promise((done) => {
		const open = indexedDB.open("watu", 1);
		open.onsuccess = () => {
			const s = open.result.transaction("seats", "readwrite").objectStore("seats"), all = s.getAll();
			all.onsuccess = () => { const seat = all.result[0]; %s };
		};
	})`
	kept := fmt.Sprintf(store, `seat.head.root = "0".repeat(64); s.put(seat);
		done(seat.id)`)
	id := ask[string](b, fmt.Sprintf(store, "done(seat.id)"))
	ask[string](b, fmt.Sprintf("navigator.locks.request(%q, () => %s)", "watu "+id, kept))
	b.until("the fork", `document.getElementById("seen").textContent.includes("does not extend the one of")`)
	if fork := ask[string](b, fmt.Sprintf(store, `done(seat.fork ?? "")`)); strings.Count(fork, "\nwatu/") != 1 {
		b.Errorf("both notes are not kept: %q", fork)
	}
	b.click("#sign")
	b.until("the refusal",
		`document.querySelector("#join [role=status]").innerText.includes("nothing is signed any more")`)
}

// cosignedInTheBrowser waits until the page cosigned the newest head, and checks that with the key.
func cosignedInTheBrowser(t *testing.T, b *tab, f *service.Service, key campaign.SeatKey) {
	t.Helper()
	c, err := f.Find("signed")
	if err != nil {
		t.Fatal(err)
	}
	b.until("its cosignature", fmt.Sprintf(
		`document.getElementById("seen").textContent.includes("Seen and cosigned: %d events")`, c.Events))
	k, err := f.Checkpoint(t.Context(), c, c.Events)
	if err != nil {
		t.Fatal(err)
	}
	by, err := tree.ParseVerifier(k.Key)
	if err != nil {
		t.Fatal(err)
	}
	x, err := tree.ParseCosigned(k.Note, by, tree.AnyOf(tree.Witness{Name: key.Seat, Verifier: key.Key}))
	if err != nil || len(x.Cosignatures) != 1 || len(k.Seats) != 1 || k.Seats[0].Fingerprint != key.Key.Fingerprint() {
		t.Errorf("the host shows %+v, %v", k, err)
	}
}

// The page of Ben cosigns a roll of Anna's in time, and the host takes that, and records all the same that the roll
// lapsed: the page cosigns and signs nothing any more, and keeps both notes.
func TestFalseLapseInTheBrowser(t *testing.T) {
	beside(t)
	m, err := beacontest.New(time.Now().Unix()-100, 1)
	if err != nil {
		t.Fatal(err)
	}
	g := played(t)
	f := g.service
	if _, err := f.OpenCampaign(replay.NewCampaign{Name: "lapsing", System: "awaw", Dice: campaign.Beacon,
		Beacon: m.Beacon, Proxy: true, Seats: []campaign.Seat{{Name: "Anna", Sides: []string{"European Axis", "Japan"}},
			{Name: "Ben", Sides: []string{"Britain", "United States"}}}}); err != nil {
		t.Fatal(err)
	}
	g.submit(t, "lapsing", "turn: Fall 1939\n")
	c, err := f.Find("lapsing")
	if err != nil {
		t.Fatal(err)
	}
	v, err := seats.NewInvitation(t.Context(), f, "lapsing", seats.Invite{Seat: "Ben", By: seats.ByKey})
	if err != nil {
		t.Fatal(err)
	}
	b := browse(t, g.url)
	b.visit(strings.TrimPrefix(v.Link(""), g.url))
	b.until("the button", `!document.getElementById("make").hidden`)
	b.click("#make")
	b.until("the key", `!document.getElementById("enter").hidden`)
	g.submit(t, "lapsing", "turn: Fall 1939\nentries:\n  - {id: raid, submarine warfare: {box: Atlantic, "+
		"submarines: 20, asw: 30, cves: 0, war turn: 1}, cards: []}\n")
	at, err := f.Umpire().AtHead(c.ID)
	if err != nil || !at.Awaits() {
		t.Fatalf("no roll awaits a round: %v", err)
	}
	b.until("the taken note", `new Promise((done) => {
		const open = indexedDB.open("watu", 1);
		open.onsuccess = () => {
			const all = open.result.transaction("seats").objectStore("seats").getAll();
			all.onsuccess = () => done(all.result.some((s) => s.taken));
		};
	})`)
	time.Sleep(time.Until(time.Unix(m.Time(at.Open.Roll.Round), 0)))
	lapse := rules.Command{ID: "lapse/1", Seat: campaign.UmpireSeat, Verb: campaign.VerbLapse,
		Body: fmt.Appendf(nil, `{"lapse":%d}`, at.Open.Roll.Round)}
	if a, err := f.Umpire().Hear(c.ID, lapse); err != nil || a.Events != 1 {
		t.Fatalf("%+v, %v", a, err)
	}
	b.until("the refusal", `document.getElementById("seen").textContent.includes("You did, and the host took it")`)
	if text := b.text("#seen"); strings.Count(text, "watu/"+c.ID.String()) != 2 {
		t.Errorf("both notes are not shown: %s", text)
	}
	if c, err = f.Find("lapsing"); err != nil {
		t.Fatal(err)
	}
	if k, err := f.Checkpoint(t.Context(), c, c.Events); err != nil || len(k.Seats) != 0 {
		t.Errorf("it cosigned the lapse: %+v, %v", k, err)
	}
}
