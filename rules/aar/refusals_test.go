package aar

import (
	"fmt"
	"slices"
	"testing"

	"github.com/watu-ledger/watu/rules/internal/rulestest"
	"github.com/watu-ledger/watu/rules/requests"
)

// The sea of the refusals: United Kingdom 8 IPC at 6, 7, 8; Eastern Canada 3 at 9; Eastern
// United States 12 (US) at 10; Germany 10 at 5. Links 5-6, 8-9, 9-10, 10-11, 11-12.
func atSea(victim, submarines, rest string) string {
	return fmt.Sprintf(`{"victim":%q,"income":30,"industrial_complexes":[
		{"territory":"United Kingdom","owner":"UK","ipc_value":8,"sea_zones":["6","7","8"]},
		{"territory":"Eastern Canada","owner":"UK","ipc_value":3,"sea_zones":["9"]},
		{"territory":"Eastern United States","owner":"US","ipc_value":12,"sea_zones":["10"]},
		{"territory":"Germany","owner":"Germany","ipc_value":10,"sea_zones":["5"]}],
		"sea_zone_links":[["5","6"],["8","9"],["9","10"],["10","11"],["11","12"]],
		"submarines":[%s]%s}`, victim, submarines, rest)
}

const u1 = `{"id":"U1","owner":"Germany","sea_zone":"8"}`

// refusals are requests with every rule that they break, in the order in which it is named
// (GEN-ALL). Two submarines or territories of one name are not understood (GEN-UNIQUE).
var refusals = []struct {
	request string
	rules   []string
}{
	{atSea("Germany", `{"id":"S1","owner":"UK","sea_zone":"5"}`, ``), []string{"AAR-4-SUBJECT"}},
	{atSea("Russia", ``, ``), []string{"AAR-4-SUBJECT"}},
	{atSea("Italy", ``, ``), []string{"AAR-4-SUBJECT"}},
	{atSea("Germany", `{"id":"S1","owner":"UK","sea_zone":"5"}`, `,"allocation":{"S1":"Germany"}`),
		[]string{"AAR-4-SUBJECT"}},
	{atSea("UK", u1, `,"phase":"other"`), []string{"AAR-4-TIME"}},
	{atSea("Italy", ``, `,"phase":"other"`), []string{"AAR-4-SUBJECT", "AAR-4-TIME"}},
	{atSea("UK", `{"id":"A1","owner":"US","sea_zone":"8"}`, `,"allocation":{"A1":"United Kingdom"}`),
		[]string{"AAR-4-ENEMY"}},
	{atSea("UK", `{"id":"A1","owner":"UK","sea_zone":"8"}`, `,"allocation":{"A1":"United Kingdom"}`),
		[]string{"AAR-4-ENEMY"}},
	{atSea("Japan", `{"id":"I1","owner":"Italy","sea_zone":"8"}`, `,"allocation":{"I1":"United Kingdom"}`),
		[]string{"AAR-4-OWNED", "AAR-4-ENEMY"}},
	{atSea("UK", `{"id":"U1","owner":"Germany","sea_zone":"10"}`, `,"allocation":{"U1":"Eastern United States"}`),
		[]string{"AAR-4-OWNED"}},
	{atSea("UK", `{"id":"U1","owner":"Germany","sea_zone":"6"}`, `,"allocation":{"U1":"Germany"}`),
		[]string{"AAR-4-OWNED", "AAR-4-SUBJECT"}},
	{atSea("UK", `{"id":"U1","owner":"Germany","sea_zone":"11"}`, `,"allocation":{"U1":"Eastern Canada"}`),
		[]string{"AAR-4-RANGE"}},
	{atSea("UK", `{"id":"U1","owner":"Germany","sea_zone":"nowhere"}`, `,"allocation":{"U1":"Eastern Canada"}`),
		[]string{"AAR-4-RANGE"}},
	{atSea("UK", `{"id":"U1","owner":"Germany","sea_zone":"8","submerged_this_turn":true}`,
		`,"allocation":{"U1":"United Kingdom"}`), []string{"AAR-4-SUBMERGED"}},
	{atSea("UK", `{"id":"U1","owner":"Germany","sea_zone":"8","raided_this_turn":true}`,
		`,"allocation":{"U1":"United Kingdom"}`), []string{"AAR-4-ONE-IC"}},
	{atSea("UK", `{"id":"A1","owner":"Russia","sea_zone":"12","submerged_this_turn":true,"raided_this_turn":true}`,
		`,"phase":"other","allocation":{"A1":"Germany"}`),
		[]string{"AAR-4-TIME", "AAR-4-OWNED", "AAR-4-SUBJECT", "AAR-4-ENEMY", "AAR-4-SUBMERGED", "AAR-4-ONE-IC",
			"AAR-4-RANGE"}},
	{atSea("UK", u1, `,"allocation":{"U2":"United Kingdom"}`), []string{"INPUT"}},
	{atSea("UK", u1, `,"allocation":{"U1":"Atlantis"}`), []string{"INPUT", "AAR-4-OWNED"}},
	{atSea("UK", u1, `,"allocation":{"U1":"United Kingdom","U1":"Eastern Canada"}`), []string{"INPUT"}},
	{atSea("UK", u1+","+u1, ``), []string{"INPUT"}},
	{atSea("Italy", u1+`,{"id":"U1","owner":"Japan","sea_zone":"12"}`, ``), []string{"INPUT", "AAR-4-SUBJECT"}},
	{`{"victim":"UK","income":9,"sea_zone_links":[],"submarines":[],"industrial_complexes":[
		{"territory":"India","owner":"UK","ipc_value":3,"sea_zones":["35"]},
		{"territory":"India","owner":"Japan","ipc_value":3,"sea_zones":["35"]}]}`, []string{"INPUT"}},
	{`{"victim":"UK","income":9,"sea_zone_links":[],"submarines":[],"industrial_complexes":[{"territory":"India",` +
		`"owner":"UK","ipc_value":3,"sea_zones":["35","35"]}]}`, []string{"INPUT"}},
	{atSea("France", ``, ``), []string{"INPUT"}},
	{atSea("UK", u1, `,"allocation":"best"`), []string{"INPUT"}},
	{atSea("UK", u1, `,"options":{"tier":"cumulative"}`), []string{"INPUT"}},
	{atSea("UK", u1, `,"damage_this_turn":{"United Kingdom":-1}`), []string{"INPUT"}},
	{atSea("UK", `{"id":"","owner":"Germany","sea_zone":"8"}`, ``), []string{"INPUT"}},
	{`{"victim":"UK","income":-1,"sea_zone_links":[],"submarines":[],"industrial_complexes":[]}`, []string{"INPUT"}},
	{`{"victim":"UK","income":1,"sea_zone_links":[["1","2","3"]],"submarines":[],"industrial_complexes":[]}`,
		[]string{"INPUT"}},
}

func TestRefusals(t *testing.T) {
	p := convoyRaid()
	for _, c := range refusals {
		r := rulestest.Answer(t, p, []byte(c.request))
		var named []string
		for _, v := range r.Violations {
			named = append(named, v.Rule)
		}
		if named = slices.Compact(named); r.OK || !slices.Equal(named, c.rules) {
			t.Errorf("%s\nwant %v, got %+v", c.request, c.rules, r.Violations)
		}
	}
}

// TestNoRaid: what may not be declared and is not, does nothing and is no offence.
func TestNoRaid(t *testing.T) {
	for name, submarine := range map[string]string{
		"AAR-4-ENEMY an ally":            `{"id":"A1","owner":"US","sea_zone":"8"}`,
		"AAR-4-ENEMY its own":            `{"id":"A1","owner":"UK","sea_zone":"8"}`,
		"AAR-4-SUBMERGED":                `{"id":"U1","owner":"Germany","sea_zone":"8","submerged_this_turn":true}`,
		"AAR-4-ONE-IC raided before":     `{"id":"U1","owner":"Germany","sea_zone":"8","raided_this_turn":true}`,
		"AAR-4-RANGE three zones":        `{"id":"U1","owner":"Germany","sea_zone":"11"}`,
		"AAR-4-OWNED next to another's":  `{"id":"U1","owner":"Germany","sea_zone":"12"}`,
		"AAR-4-RANGE a zone of no chart": `{"id":"U1","owner":"Germany","sea_zone":"99"}`,
	} {
		r := requests.Adjudicate(convoyRaid(), []byte(atSea("UK", submarine, ``)))
		if out, ok := r.Outcome.(RaidOutcome); !ok || out.Damage != 0 || out.IncomeAfter != 30 ||
			len(out.Allocation) != 0 {
			t.Errorf("%s: %+v", name, r)
		}
	}
}
