package docs

import (
	"slices"
	"strings"
	"testing"
)

// Every decision of a system is an option, or stands in rulings.md as settled.
func TestEveryDecision(t *testing.T) {
	text := map[string]string{}
	for _, s := range systems {
		text[strings.ToUpper(s.Name)] = s.settled
	}
	c := repository(t)
	for _, r := range c.requirements {
		settled, ok := text[systemOf(r.id)]
		if !ok || !strings.HasPrefix(r.id, "AMB-") || len(c.options[r.id]) > 0 {
			continue
		}
		if !slices.Contains(idForm.FindAllString(settled, -1), r.id) {
			t.Errorf("%s (%s) is no option, and rulings.md does not say how it is settled", r.id, r.phrase)
		}
	}
}

const awawSettled = `* The missing conditions of Magic interception (48.61-C) set no further limit (AMB-AWAW-4).
* More than 60 factors use row 30 as often as needed (AMB-AWAW-7).
* Thirds of the defending air at Pearl Harbor are taken of AAF and NAS each (AMB-AWAW-12); what
  remains of NAS below three is reported (AMB-AWAW-13).
* A harbor attack result of 6 allows one target (AMB-AWAW-14). One AAF, or three NAS, is one naval
  factor (AMB-AWAW-15).
* What a harbor attack result or a critical hit does to a ship is reported, not applied (AMB-AWAW-16).
* Air range and Naval Nationality count as the attacker's less the defender's (AMB-AWAW-17). One port
  of a line suffices, and each line counts once (AMB-AWAW-18).
* An ASW card's effect on on-board attacks is on the opponent's alone (AMB-AWAW-19). The CVEs that
  count are the defender's (AMB-AWAW-20).
* Each side has its own codebreaking result a year and theater (AMB-AWAW-21).
* American cards at Pearl Harbor are shown once the table has been read (AMB-AWAW-22).
* A carrier is inverted by its harbor attack for the rest of the game turn (AMB-AWAW-23).
`

const aarSettled = `* The raider says which submarine raids which complex; what he does not say is allocated so that the
  raids take the most (AMB-AAR-3).
* UK units that take part in D-Day move in the U.S. player's Noncombat Move to land after the battle,
  and for nothing else (AMB-AAR-8).
* A detection value below 1 is never rolled and one of 6 or more always is; values are not held to
  the die (AMB-AAR-9).
* The board or the request gives the graph of sea zones; canals are open to all (AMB-AAR-10).
* Submarines of both enemies of a power count against one cap (AMB-AAR-11).
* A detected submarine in the same attack does not keep the undetected ones from calling their shots
  (AMB-AAR-12).
`

const eotsSettled = `* The submarine warfare marker stands at +2 in 1941, as the scenario table has it (AMB-EOTS-2).
* It is added up first, and then held to -5; a request may give the marker as it stands instead
  (AMB-EOTS-3).
* Home ports and Pusan count whoever holds them; resource hexes count under Japanese control
  (AMB-EOTS-6).
* A critical hit on a Sub Base need not wait until others are reduced, and still takes 15 hits
  (AMB-EOTS-7).
* Submarines never raise a draw: one that is below four already stays as it is (AMB-EOTS-8).
* An emergency move reaches every hex within ten (AMB-EOTS-9).
* What the lost paragraphs define is given with the request, or left out (AMB-EOTS-10).
* A choice that was made in advance for a base without a success is passed over (AMB-EOTS-11).
* On a die of 1 to 10 a 10 counts ten in submarine warfare, and as the 0 of the troop transport table
  (AMB-EOTS-12).
* The strategy card phase, in which a base that was relocated does not serve card 5, is all of a turn's
  offensives (AMB-EOTS-14).
* A base is attacked once in an offensive: all hits of its Air-Naval Combat are one figure
  (AMB-EOTS-15).
`

const g40Settled = `* Which sea zones bear the kamikaze and convoy symbols is reported with them (AMB-G40-5).
* Battleships and carriers take two hits, and are repaired in their owner's Purchase & Repair; where
  and at what price, the table says (AMB-G40-6).
* A captured capital yields what its economy has not spent (AMB-G40-7).
* Mechanized infantry attacks at 1 unless it is paired (AMB-G40-8).
`
