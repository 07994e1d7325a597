package replay_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/beacon"
	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/events/tree"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/bundle"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/review"
	"github.com/watu-ledger/watu/rules"
)

// A roll whose round was named is not undone, ruled void or corrected before its dice: a host who saw the round would
// choose whether they count. A record in which that was done names the event.
func TestAwaitedRollIsKept(t *testing.T) {
	t.Parallel()
	w := newWitnessed(t)
	at := w.awaited().Index
	a, err := w.umpire.Undo(w.id.ID, at, "I would rather not")
	if err != nil || a.Verdict != rules.Refused || !strings.Contains(a.Violations[0].Message,
		"what decides its dice was named") {
		t.Errorf("undo: %+v, %v", a, err)
	}
	if list, err := w.umpire.Undoables(w.id.ID); err != nil || len(list) > 0 {
		t.Errorf("%+v may be undone, %v", list, err)
	}
	if text := w.refusedVoid(at); !strings.Contains(text, "wait until they lie") {
		t.Errorf("void: %s", text)
	}
	for name, k := range map[string]review.Correction{
		"figures": {Replace: replaced(`"submarines":20`, `"submarines":10`)},
		"again":   {Dice: review.DiceRuling{Again: true}},
	} {
		k.Event, k.Code, k.Reason = at, "slip", "a slip"
		if a, err := w.umpire.Correct(w.id.ID, k); err == nil && a.Verdict != rules.Refused {
			t.Errorf("%s: %+v", name, a)
		}
	}
	if still := w.awaited(); still.Index != at || still.Roll.Lapses != 0 {
		t.Errorf("another roll awaits its round: %+v", still)
	}

	all := w.all()
	last, n := all[len(all)-1], fmt.Sprint(len(all))
	of := events.Voided{Command: all[at].Command, Code: "slip", Reason: "a slip", Scope: events.VoidCommand}
	for _, e := range all {
		if e.Command == of.Command {
			of.Events = append(of.Events, e.Index)
		}
	}
	undone := like(last, "undo/"+n, "undo", fmt.Sprintf(`{"undo":{"event":%d,"reason":"a slip"}}`, at), &of)
	kept := fmt.Sprintf("the roll #%d awaits round %d, and is not taken back before its dice", at,
		w.awaited().Roll.Round)
	w.finds(append(slices.Clone(all), undone), "#"+n+" voided payload: "+kept,
		"#"+n+" voided code: the rules lead elsewhere (slip; nothing to be undone: by #"+fmt.Sprint(at))
	corrected := like(last, "correct/"+n, "correct", "{}", &events.Corrected{Event: at, Command: of.Command,
		Code: "slip", Reason: "a slip", Voids: []uint64{at}, Dice: "thrown again"})
	w.finds(append(slices.Clone(all), corrected), "#"+n+" corrected payload: "+kept)
	restated := all[at]
	restated.Request, restated.Corrects = "", at
	w.finds(append(slices.Clone(all), like(last, "correct/"+n, "correct", "{}", &events.Corrected{Event: at,
		Command: of.Command, Code: "slip", Reason: "a slip"}), restated),
		fmt.Sprintf("#%d roll_declared corrects: the roll #%d awaits round", len(all)+1, at))

	f := w.forged(append(slices.Clone(all), undone))
	if got := f.Choices(); len(got) != 1 || got[0].Who != bundle.ByHost || !got[0].Void {
		t.Errorf("%+v", got)
	}
	w.falls()
	w.sound()
}

// A roll that lapsed as often as it may can be ruled void: else nothing would ever be played again. The file says who
// could have chosen.
func TestExhaustedRollIsVoided(t *testing.T) {
	t.Parallel()
	w := newWitnessed(t)
	w.lapses()
	at := w.awaited().Index
	w.ruleVoid(at)
	if w.harness.now().Open != nil {
		t.Errorf("%+v is open", w.harness.now().Open)
	}
	w.submit(strings.Replace(beaconPlay, "raid", "again", 1))
	w.falls()
	w.sound()
	f := w.fileFor(bundle.Umpire, w.harness.now().Next)
	w.clean(f)
	got := f.Choices()
	if len(got) != 2 || got[0].Who != bundle.ByHost || !got[0].Void || got[1].Void || got[1].Who != bundle.ByHost {
		t.Errorf("%+v", got)
	}
	report := f.Check(bundle.Options{})
	if !slices.ContainsFunc(report.Unchecked, func(u bundle.Unchecked) bool {
		return u.What == "rolls by a round that were taken out of the campaign" && u.Count == 1
	}) {
		t.Errorf("%+v", report.Unchecked)
	}
}

// A roll that was ruled void and counts again goes on waiting, and the file says that somebody chose.
func TestVoidOfExhaustedRollIsVoided(t *testing.T) {
	t.Parallel()
	w := newWitnessed(t)
	w.lapses()
	at := w.awaited().Index
	w.ruleVoid(w.ruleVoid(at).First)
	if open := w.awaited(); open.Index != at || open.Roll.Lapses != beacon.MostLapses {
		t.Errorf("%+v", open)
	}
	w.falls()
	w.sound()
	f := w.fileFor(bundle.Umpire, w.harness.now().Next)
	w.clean(f)
	if got := f.Choices(); len(got) != 1 || got[0].Who != bundle.ByHost || got[0].Void {
		t.Errorf("%+v", got)
	}
}

// Dice that a ruling takes out, and a command that is entered again: the file says that it was a choice.
func TestVoidedBeaconDice(t *testing.T) {
	t.Parallel()
	w := newWitnessed(t)
	at := w.awaited().Index
	w.falls()
	if a, err := w.umpire.Undo(w.id.ID, at, "a slip"); err != nil || a.Verdict != rules.Refused {
		t.Errorf("%+v, %v", a, err)
	}
	ruling := w.ruleVoid(at).First
	w.submit(strings.Replace(beaconPlay, "raid", "again", 1))
	w.falls()
	w.sound()
	got := w.fileFor(bundle.Umpire, w.harness.now().Next).Choices()
	if len(got) != 2 || got[0].Who != bundle.ByHost || !got[0].Void ||
		!strings.Contains(got[0].Why, fmt.Sprintf("#%d took it out", ruling+1)) || got[1].Who != bundle.ByHost ||
		!strings.Contains(got[1].Why, fmt.Sprintf("#%d took out such a roll", ruling+1)) {
		t.Errorf("%+v", got)
	}
}

// elsewhere is a raid of another side, in another box.
const elsewhere = "turn: Winter 1941\nentries:\n  - {id: elsewhere, submarine warfare: {box: Pacific, side: Japan, " +
	"submarines: 5, asw: 5}, cards: []}\n"

// The roll that is declared next behind one that was taken out is marked, whatever it is for, and no other behind it.
func TestRollBehindVoid(t *testing.T) {
	t.Parallel()
	w := newWitnessed(t)
	at := w.awaited().Index
	w.falls()
	ruling := w.ruleVoid(at).First
	w.submit(elsewhere)
	w.falls()
	w.submit(strings.NewReplacer("elsewhere,", "more,", "asw: 5", "asw: 5, again: true").Replace(elsewhere))
	w.falls()
	got := w.fileFor(bundle.Umpire, w.harness.now().Next).Choices()
	if len(got) != 3 || got[1].Who != bundle.ByHost || got[2].Who != bundle.ByKeyHolder ||
		!strings.Contains(got[1].Why, fmt.Sprintf("#%d took out a roll", ruling+1)) {
		t.Errorf("%+v", got)
	}
}

// Who cosigned at a time before that of an earlier checkpoint shows nothing by that time.
func TestClockThatGoesBack(t *testing.T) {
	t.Parallel()
	w := newWitnessed(t)
	before := w.Time(w.awaited().Roll.Round)
	w.falls()
	w.submit(elsewhere)
	n := w.awaited().Roll.Round
	note := w.cosigned(w.harness, w.harness.now().Next, before-60)
	if a, err := w.round(replay.RoundCome{Number: n, Signature: w.Signature(n), Note: note}); err != nil ||
		a.Verdict != rules.Allowed {
		t.Fatalf("%+v, %v", a, err)
	}
	f := w.fileFor(bundle.Umpire, w.harness.now().Next)
	w.clean(f)
	got := f.Choices()
	if len(got) != 2 || got[0].Who == bundle.ByHostOrCosigner || got[1].Who != bundle.ByHostOrCosigner ||
		!strings.Contains(got[1].Why, "arbiter cosigned it at a time before") {
		t.Errorf("%+v", got)
	}
}

// Whoever leaves a declaration open and plays another one, with a round and a note of its own, is found.
func TestDeclarationsLeftOpen(t *testing.T) {
	t.Parallel()
	w := newWitnessed(t)
	all := w.all()
	left := w.awaited()
	var p events.RollDeclared
	all[left.Index].Read(&p)
	from := left.Index
	for from > 0 && all[from-1].Command == all[left.Index].Command {
		from--
	}
	second := slices.Clone(all[from : left.Index+1]) // the events of the command, as far as it came
	p.Round += 5
	at := uint64(len(all)) + left.Index - from
	for i := range second {
		second[i].Command = "Winter 1941/another"
	}
	second[len(second)-1].Payload = events.EncodePayload(&p)
	forged := append(slices.Clone(all), second...)
	opened := fmt.Sprintf("#%d %s", len(all), second[0].Type)
	for _, list := range [][]events.Event{forged, append(forged, w.dice(forged, at, p.Round)...)} {
		w.finds(list, fmt.Sprintf("%s type: nothing is played before the dice of #%d, which awaits round %d", opened,
			left.Index, left.Roll.Round),
			opened+" command: the rules lead elsewhere (Winter 1941/another; a command that is heard here)")
	}
	f := w.forged(append(forged, w.dice(forged, at, p.Round)...))
	if got := f.Choices(); got[0].Who != bundle.Undecided {
		t.Errorf("%+v", got)
	}
	again := append(slices.Clone(all), all[left.Index]) // in the same command
	w.finds(again, fmt.Sprintf("#%d roll_declared type: nothing is played before the dice of #%d", len(all),
		left.Index))
}

// dice are those of the roll declared at an index, by a round, with a note of all events before them.
func (w witnessed) dice(list []events.Event, declared, round uint64) []events.Event {
	w.t.Helper()
	f := w.forged(list)
	var all tree.Tree
	for _, b := range f.Events {
		all.Add(events.LeafHash(b))
	}
	root, err := all.Root(uint64(len(list)))
	if err != nil {
		w.t.Fatal(err)
	}
	k := tree.Checkpoint{Campaign: w.id.ID, Events: uint64(len(list)), Root: root}
	text, err := k.Sign(w.ledger)
	if err != nil {
		w.t.Fatal(err)
	}
	line, err := k.Cosign(w.witness, w.Time(round)-1)
	if err != nil {
		w.t.Fatal(err)
	}
	var p events.RollDeclared
	list[declared].Read(&p)
	var out []events.Event
	for i, t := range p.Throws {
		d := &events.DiceRolled{Declared: declared, Throw: t.Name, Dice: slices.Repeat([]int{1}, t.Dice)}
		if i == 0 {
			d.Round, d.Signature, d.Note = round, w.Signature(round), text+line
		}
		e := like(list[len(list)-1], "round/forged", "round", "{}", d)
		if e.Side = t.Side; i > 0 {
			e.Request = ""
		}
		out = append(out, e)
	}
	return out
}

// A choice ends what a round decides, whether its entry is recorded or not; and no other command takes the round.
func TestChoicesBetweenRolls(t *testing.T) {
	t.Parallel()
	w := newWitnessed(t)
	at := w.awaited().Index
	w.falls()
	all := w.all()
	var p events.RollDeclared
	all[at].Read(&p)
	behind := p
	behind.First, behind.Ordinal = at, 1
	asked := like(all[len(all)-1], all[at].Command, "", "", &events.ChoiceAsked{Question: "?", Of: "Britain",
		Options: []string{"a", "b"}, Most: 1})
	asked.Request = ""
	dice := slices.IndexFunc(all, func(e events.Event) bool { return e.Type == "dice_rolled" }) + len(p.Throws)
	list := append(slices.Clone(all[:dice]), asked)
	made := asked
	made.Type, made.Payload = "choice_made", events.EncodePayload(&events.ChoiceMade{Asked: uint64(dice),
		Options: []string{"a"}})
	roll := all[at]
	roll.Request, roll.Payload = "", events.EncodePayload(&behind)
	takes := "payload.first: a roll behind one of a round, of the same command and without a choice between"
	w.finds(append(list, made, roll), fmt.Sprintf("#%d roll_declared %s", dice+2, takes))
	other := made
	other.Command = "Winter 1941/another"
	w.finds(append(list, other, roll), fmt.Sprintf("#%d choice_made request: somebody entered this", dice+1),
		fmt.Sprintf("#%d roll_declared %s", dice+2, takes))
	roll.Command = "Winter 1941/another"
	w.finds(append(slices.Clone(all[:dice]), roll), fmt.Sprintf("#%d roll_declared %s", dice, takes))
	unasked := slices.Clone(all[:dice])
	unasked[dice-len(p.Throws)].Request = ""
	w.finds(unasked, fmt.Sprintf("#%d dice_rolled request: somebody entered this", dice-len(p.Throws)))
}

// Two quorums of a policy that need not share a witness are refused, and so is a beacon that is half quicknet.
func TestBeaconsThatProveNothing(t *testing.T) {
	t.Parallel()
	d, m := newHost(t), newMoon(t)
	lie := beacon.Quicknet()
	lie.Genesis += 3600
	w, err := tree.NewWitnessKey(strings.NewReader(strings.Repeat("x", 32)), "other")
	if err != nil {
		t.Fatal(err)
	}
	apart := fmt.Sprintf("witness arbiter %s\nwitness other %s\ngroup g any arbiter other\nquorum g\n",
		m.witness.Verifier(), w.Verifier())
	for _, x := range []struct {
		by       beacon.Beacon
		policy   string
		refused  string
		asForged func(p *events.CampaignOpened) bool
	}{
		{m.Beacon, apart, "line 3: group g asks for 1 of 2, so two quorums may have no witness in common",
			func(p *events.CampaignOpened) bool { p.Witnesses = apart; return true }},
		{lie, m.policy(), "it is that of quicknet, whose rounds come at other times: genesis 1692803367, period 3",
			func(p *events.CampaignOpened) bool { p.Beacon = events.Beacon(lie); return true }},
	} {
		_, violations, err := d.umpire.Open(replay.NewCampaign{Name: "fair", System: "awaw", Dice: campaign.Beacon,
			Beacon: x.by, Witnesses: x.policy})
		if err != nil || len(violations) != 1 || !strings.Contains(violations[0].Message, x.refused) {
			t.Errorf("%+v, %v", violations, err)
		}
		c := newWitnessed(t)
		f := forgedFile(t, c.fileFor(bundle.Umpire, c.harness.now().Next), of(x.asForged))
		if found := c.found(f); len(found) == 0 || !strings.HasPrefix(found[0], "#0 campaign_opened payload.") ||
			!strings.Contains(found[0], x.refused) {
			t.Errorf("%q", found)
		}
	}
}

// Dice that a correction throws again fall by the chain, which the host knows: the file says so.
func TestBeaconDiceThrownAgain(t *testing.T) {
	t.Parallel()
	w := newWitnessed(t)
	at := w.awaited().Index
	w.falls()
	a, err := w.umpire.Correct(w.id.ID, review.Correction{Event: at, Code: "cocked", Reason: "cocked",
		Dice: review.DiceRuling{Again: true}})
	if err != nil || a.Verdict != rules.Allowed {
		t.Fatalf("%+v, %v", a, err)
	}
	w.sound()
	f := w.fileFor(bundle.Umpire, w.harness.now().Next)
	w.clean(f)
	got := f.Choices()
	if len(got) != 2 || got[0].Who != bundle.ByHost || !got[0].Void || got[1].Void || got[1].Who != bundle.ByHost ||
		!strings.Contains(got[1].Why, "a correction threw them again, by the chain that the host knows") {
		t.Errorf("%+v", got)
	}
	all := w.all() // another round for them
	for i := range all {
		var p events.RollDeclared
		if all[i].Read(&p) && all[i].Replaces != 0 {
			p.Mode, p.Sources, p.Round = "beacon", nil, 33333400
			all[i].Payload = events.EncodePayload(&p)
			w.finds(all, fmt.Sprintf("#%d roll_declared payload.mode: dice of a correction fall when it is made", i))
		}
	}
}

// A host that is handed a record with dice that nobody can throw says so.
func TestDiceThatCannotBeThrown(t *testing.T) {
	t.Parallel()
	w := newWitnessed(t)
	open := w.awaited()
	for _, x := range []struct{ dice, sides int }{{1, 1}, {1, 257}, {-1, 6}, {1 << 30, 6}} {
		f := forgedFile(t, w.fileFor(bundle.Umpire, w.harness.now().Next), of(func(p *events.RollDeclared) bool {
			p.Throws[0].Dice, p.Throws[0].Sides = x.dice, x.sides
			return true
		}))
		var list []events.Record
		for i, b := range f.Events {
			list = append(list, events.Record{Sequence: uint64(i) + 1, Campaign: w.id.ID, Index: uint64(i), Bytes: b})
		}
		d := w.copyOf(t)
		if _, err := d.umpire.Recover(records(list)); err != nil {
			t.Fatal(err)
		}
		d.umpire.SetClock(func() time.Time { return *w.now })
		own := witnessed{&harness{host: d, id: ledger.Campaign{ID: w.id.ID}, seat: campaign.UmpireSeat}, w.moon, w.now}
		note := w.cosigned(own.harness, own.harness.now().Next, w.Time(open.Roll.Round)-1)
		n := open.Roll.Round
		a, err := own.round(replay.RoundCome{Number: n, Signature: w.Signature(n), Note: note})
		if err == nil || !strings.Contains(err.Error(), "cannot be thrown") {
			t.Errorf("%+v: %+v, %v", x, a, err)
		}
	}
}

const bombing = "turn: Winter 1941\nentries:\n  - {id: essen, strategic bombing: {target: Essen, attacker: Britain, " +
	"defender: Germany, air combat: {attacker: 12, defender: 5}, bombers: 9, excess range: 8, " +
	"defense: {flak: 2, cities: 1, objectives: 2}}}\n"

// The rolls of a command take the round of its first: whoever had a later one name a round of its own would have known
// what it was without. A dispute between them changes nothing of it.
func TestLaterRollsTakeTheRound(t *testing.T) {
	t.Parallel()
	w := newWitnessed(t)
	w.falls()
	w.submit("turn: Winter 1941\nentries:\n  - {id: m, phase: movement, player: Western Allies}\n")
	w.submit(bombing)
	w.falls()
	all := w.all()
	checked := func(list []events.Event) []bundle.Finding {
		return slices.DeleteFunc(w.forged(list).Check(bundle.Options{}).Findings, func(x bundle.Finding) bool {
			return x.Event == nil // the file holds the events alone
		})
	}
	if found := checked(all); len(found) > 0 {
		t.Fatalf("an honest record: %+v", found)
	}
	second := slices.IndexFunc(all, func(e events.Event) bool {
		var p events.RollDeclared
		return e.Read(&p) && p.First != 0
	})
	var p events.RollDeclared
	if second < 0 || !all[second].Read(&p) {
		t.Fatal("there is no second roll of a command")
	}
	p.First, p.Ordinal, p.Round = 0, 0, p.Round+4
	says := like(all[second-1], "Winter 1941/says", "dispute", `{"dispute":{"event":11,"claim":"hm"}}`,
		&events.DisputeOpened{Event: 11, Claim: "hm"})
	for name, between := range map[string][]events.Event{"at once": nil, "behind a dispute": {says}} {
		list := slices.Concat(slices.Clone(all[:second]), between, []events.Event{all[second]})
		list[len(list)-1].Payload = events.EncodePayload(&p)
		if !slices.ContainsFunc(checked(list), func(x bundle.Finding) bool {
			return *x.Event == uint64(len(list)-1) && strings.Contains(x.Message, "takes that round")
		}) {
			t.Errorf("%s: it is not found", name)
		}
	}
}

// Dice by a beacon in a campaign that has none are findings, and no more.
func TestBeaconDiceOfAChain(t *testing.T) {
	t.Parallel()
	c := newHost(t).openWith(replay.NewCampaign{Name: "chain", System: "awaw"})
	c.must(beaconPlay)
	all := c.all()
	for i := range all {
		var p events.RollDeclared
		var q events.DiceRolled
		if all[i].Read(&p) {
			p.Mode, p.Round, p.Sources = "beacon", 5, nil
			all[i].Payload = events.EncodePayload(&p)
		} else if all[i].Read(&q) {
			q.Round, q.Signature, q.Links = 5, strings.Repeat("00", 48), nil
			all[i].Payload = events.EncodePayload(&q)
		}
	}
	if r := c.forged(all).Check(bundle.Options{}); r.Wrongs(bundle.CheckBeacon)+r.Wrongs(bundle.CheckDice)+
		r.Wrongs(bundle.CheckOrder)+r.Wrongs(bundle.CheckPositions) == 0 {
		t.Errorf("nothing is found: %+v", r)
	}
}
