package awaw

import (
	"strconv"
	"strings"

	"github.com/watu-ledger/watu/rules"
)

// BombingTarget counts what stands in the hex that is bombed.
type BombingTarget struct {
	FlakFactors    int `json:"flak_factors"`
	Airbases       int `json:"airbases"`
	Objectives     int `json:"objectives"`
	Anchors        int `json:"anchors"`
	Cities         int `json:"cities"`
	Ports          int `json:"ports"`
	Fortifications int `json:"fortifications"`
	Fortresses     int `json:"fortresses"`
	BeachDefenses  int `json:"beach_defenses"`
}

// targetPart is one kind of thing in a target: its row of the table of bombing targets, how a
// sentence has several of them, and how many there are.
type targetPart struct {
	row, several string
	count        int
}

// parts lists the target in the order of the table.
func (t BombingTarget) parts() []targetPart {
	return []targetPart{
		{"flak factor", "flak factors", t.FlakFactors}, {"airbase counter", "airbase counters", t.Airbases},
		{"objective", "objectives", t.Objectives}, {"anchor", "anchors", t.Anchors},
		{"city", "cities", t.Cities}, {"port", "ports", t.Ports},
		{"fortification", "fortifications", t.Fortifications}, {"fortress", "fortresses", t.Fortresses},
		{"beach defense", "beach defenses", t.BeachDefenses},
	}
}

// Strength is the target's defensive strength, its row of 24.62 (SB-TGT-4).
func (t BombingTarget) Strength() (int, rules.Findings) {
	var f rules.Findings
	total := 0
	var lines []string
	for _, p := range t.parts() {
		if p.count == 0 {
			continue
		}
		worth := p.count * tables.Figure(&f, TableBombingTargets, p.row, "strength")
		total += worth
		name := p.several
		if p.count == 1 {
			name = p.row
		}
		lines = append(lines, strconv.Itoa(p.count)+" "+name+" "+strconv.Itoa(worth))
	}
	if lines == nil {
		lines = []string{"nothing there defends"}
	}
	f.Cite("AWAW-SB-TGT-4", "defensive strength %d: %s", total, strings.Join(lines, ", "))
	return total, f
}
