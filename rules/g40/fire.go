package g40

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/rules"
)

// What fires beside units: rows of the table of fire.
const (
	fireAAGun    = "aa_gun"
	fireFacility = "facility"
	fireKamikaze = "kamikaze"
)

// hitsOn is the highest die with which what fires hits; the cell is noted as read.
func hitsOn(f *rules.Findings, firing string) int { return tables.Figure(f, TableFire, firing, "hit") }

// hits counts the dice that show at most a figure.
func hits(dice []int, most int) int {
	return rules.Count(dice, func(d int) bool { return d <= most })
}

func sum(dice []int) int {
	return rules.Sum(dice, func(d int) int { return d })
}

// counted writes a number with its noun: "1 bomber", "2 bombers".
func counted(n int, noun string) string {
	switch {
	case n == 1 || strings.HasSuffix(noun, "infantry") || strings.HasSuffix(noun, "artillery"):
	case noun == "die":
		noun = "dice"
	case noun == "loss":
		noun = "losses"
	default:
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}

// countedOrNone is counted, and empty for none.
func countedOrNone(n int, noun string) string {
	if n == 0 {
		return ""
	}
	return counted(n, noun)
}

// noneOr is a count in words: "no tactical bombers", "1 tactical bomber".
func noneOr(n int, noun string) string {
	if n == 0 {
		return "no " + strings.TrimPrefix(counted(0, noun), "0 ")
	}
	return counted(n, noun)
}

// one is a noun with its article: "an AA gun", "a fighter".
func one(noun string) string {
	if noun == "" {
		return noun
	}
	if strings.ContainsAny(noun[:1], "aeioA") {
		return "an " + noun
	}
	return "a " + noun
}

// listed joins what is not empty: "2 strategic bombers and 1 escort", "none".
func listed(parts ...string) string {
	return cmp.Or(words.And(slices.DeleteFunc(parts, func(p string) bool { return p == "" })), "none")
}

// upTo writes the dice that hit.
func upTo(most int) string {
	if most == 1 {
		return "1"
	}
	return fmt.Sprintf("%d or less", most)
}

// zoneTitle writes a sea zone that goes by a number, "sea zone 109", and one by name as it is.
func zoneTitle(name string) string {
	if plain := strings.ToLower(name); strings.Contains(plain, "sea zone") || strings.HasPrefix(plain, "sz") {
		return name
	}
	return "sea zone " + name
}
