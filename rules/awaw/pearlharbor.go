package awaw

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/rules"
)

// SurpriseInput is a surprise attack on Pearl Harbor: the USJT level when Japan declares
// war, the strategic Magic cards of both sides, and the American carrier TFs with their dice.
type SurpriseInput struct {
	USJT              int                `json:"usjt"`
	JapaneseCards     []Card             `json:"japanese_cards"`
	AmericanCards     []Card             `json:"american_cards"`
	CarrierTaskForces []CarrierTaskForce `json:"carrier_task_forces"`
	SecondAirStrike   bool               `json:"second_air_strike"`
}

// CarrierTaskForce is an American carrier TF with the two dice that find it. InterceptionDie
// is 0 for none; one die is thrown by a TF at sea that meets a second strike.
type CarrierTaskForce struct {
	Name            string `json:"name"`
	Dice            []int  `json:"dice"`
	InterceptionDie int    `json:"interception_die"`
}

// SurpriseOutcome is where the carriers are, and the DRM of the Japanese surprise die.
type SurpriseOutcome struct {
	EffectiveUSJT int              `json:"effective_usjt"`
	Column        string           `json:"column"`
	SurpriseDRM   int              `json:"surprise_drm"`
	TaskForces    []LocatedCarrier `json:"task_forces"`
}

// LocatedCarrier is a carrier TF found. MayIntercept says whether its place lets it meet a
// second strike, Intercepts whether it does.
type LocatedCarrier struct {
	Name         string   `json:"name"`
	DiceTotal    int      `json:"dice_total"`
	Location     Location `json:"location"`
	MayIntercept bool     `json:"may_intercept"`
	Intercepts   bool     `json:"intercepts"`
}

// Location is a cell of table 51.31 (51.31-C): "pearl", "pacific" (the Pacific U.S. box), "auto", or a
// figure from "2" to "6", the distance from the Japanese patrol hex. In JSON it is a number
// where it is a figure.
type Location string

// The locations that are no distance.
const (
	AtPearl    Location = "pearl"
	InPacific  Location = "pacific"
	AutoLocate Location = "auto"
)

// Distance is the figure of a TF at sea, 0 for the other locations.
func (l Location) Distance() int {
	n, err := strconv.Atoi(string(l))
	if err != nil {
		return 0
	}
	return n
}

// meaning says where such a TF is (51.31-C).
func (l Location) meaning() string {
	switch l {
	case AtPearl:
		return "is in Pearl Harbor"
	case InPacific:
		return "is in the Pacific U.S. box"
	case AutoLocate:
		return "intercepts the Japanese patrol without a roll"
	}
	return "is at sea, at distance " + string(l) + " from the Japanese patrol hex"
}

// MayIntercept reports whether a TF there may meet a second strike (51.31-D).
func (l Location) MayIntercept() bool { return l == AutoLocate || l.Distance() > 0 }

// MarshalJSON gives a number for a distance, else a string.
func (l Location) MarshalJSON() ([]byte, error) {
	if n := l.Distance(); n > 0 {
		return json.Marshal(n)
	}
	return json.Marshal(string(l))
}

// pearlDRMRow is the last row of 51.31.
const pearlDRMRow = "DRM"

// EffectiveUSJT is the level that picks the column of 51.31 (48.71-C).
func EffectiveUSJT(usjt, japaneseCards, americanCards int) int {
	return usjt - japaneseCards + americanCards
}

// PearlHarborColumn is the column of 51.31 for an effective USJT level, and its DRM for the
// Japanese surprise die. A level below 0 is read in the first column (51.31-A).
func PearlHarborColumn(effectiveUSJT int) (column string, drm int) {
	column, _ = pearlHarborTable.Column(effectiveUSJT)
	return column, pearlHarborTable.MustFigure(pearlDRMRow, column)
}

// LocateCarrier reads 51.31: the column and the total of two dice (51.31-B).
func LocateCarrier(column string, diceTotal int) Location {
	switch cell := pearlHarborTable.MustCell(strconv.Itoa(diceTotal), column); cell {
	case "Pearl":
		return AtPearl
	case "Pacific":
		return InPacific
	case "Auto":
		return AutoLocate
	default:
		return Location(cell)
	}
}

// InterceptsSecondStrike reports whether a TF meets the second strike: without a roll on
// auto, else with a die of at least its figure. Die 0 is no attempt.
func InterceptsSecondStrike(l Location, die int) bool {
	return l == AutoLocate || l.Distance() > 0 && die >= l.Distance()
}

// CheckPearlHarborCards finds what forbids the cards of one side, Japan or the U.S.:
// strategic ones only, the American wild card serving as one (48.71).
func CheckPearlHarborCards(field string, faction Faction, cards []Card) rules.Findings {
	var f rules.Findings
	for i, c := range cards {
		if c == Strategic || c == Wild && faction == UnitedStates || slices.Index(cards, c) != i {
			continue
		}
		// 48.22-A, 48.22-B, 48.22-C, 48.22-E, 48.22-F
		f.ViolateField(fmt.Sprintf("%s[%d]", field, i), c.rule(), "%s plays strategic cards at Pearl Harbor, not %s",
			faction.Name(), c.one())
	}
	addNew(&f, CheckHand(field, faction, cards))
	if n := count(cards, Strategic); n > typeLimit {
		f.ViolateField(field, "AWAW-48.71-C", "%s moves the column by at most %s, not by %d", faction.Name(),
			Strategic.several(typeLimit), n)
	}
	return f
}

// CheckSurprise finds what forbids the surprise, without looking at dice: the cards, and
// carrier TFs of one name.
func CheckSurprise(in SurpriseInput) rules.Findings {
	f := CheckPearlHarborCards("japanese_cards", Japan, in.JapaneseCards)
	f.Add(CheckPearlHarborCards("american_cards", UnitedStates, in.AmericanCards))
	seen := map[string]bool{}
	for i, tf := range in.CarrierTaskForces {
		if seen[tf.Name] { // GEN-UNIQUE
			f.ViolateField(fmt.Sprintf("carrier_task_forces[%d]", i), rules.Input,
				"carrier_task_forces[%d].name: %q is given twice, each TF is expected once", i, tf.Name)
		}
		seen[tf.Name] = true
	}
	return f
}

// Surprise rules on where the American carriers are, and whether they meet a second strike
// (51.31, 48.71).
func Surprise(in SurpriseInput) (SurpriseOutcome, rules.Findings) {
	f := CheckSurprise(in)
	for i, tf := range in.CarrierTaskForces {
		f.Add(checkDice(fmt.Sprintf("carrier_task_forces[%d].dice", i), tf.Dice, 2, rules.Input))
	}
	if len(f.Violations) > 0 {
		f.Add(checkStrike(in, nil))
		return SurpriseOutcome{}, f
	}
	out := SurpriseOutcome{TaskForces: []LocatedCarrier{}}
	out.EffectiveUSJT = EffectiveUSJT(in.USJT, len(in.JapaneseCards), len(in.AmericanCards))
	out.Column, out.SurpriseDRM = PearlHarborColumn(out.EffectiveUSJT)
	if n := len(in.JapaneseCards); n > 0 {
		f.Cite("AWAW-48.71-A", "Japan reveals %s", Strategic.several(n))
	}
	if n := len(in.AmericanCards); n > 0 {
		f.Cite("AWAW-48.71-B", "the U.S. then plays %s in secret, wild ones included: %d", words.Count(n, "card"),
			count(in.AmericanCards, Wild))
	}
	f.Cite("AWAW-48.71-C", "USJT %d less %d Japanese plus %d American cards is %d", in.USJT, len(in.JapaneseCards),
		len(in.AmericanCards), out.EffectiveUSJT)
	f.Cite("AWAW-51.31-A", "level %d is read in column %s", out.EffectiveUSJT, out.Column)
	f.Consult(TablePearlHarbor, pearlDRMRow, out.Column)
	f.Cite("AWAW-51.31-E", "the Japanese surprise die gets %+d", out.SurpriseDRM)
	for _, tf := range in.CarrierTaskForces {
		located := LocatedCarrier{Name: tf.Name, DiceTotal: sum(tf.Dice)}
		located.Location = LocateCarrier(out.Column, located.DiceTotal)
		located.MayIntercept = located.Location.MayIntercept()
		f.Consult(TablePearlHarbor, strconv.Itoa(located.DiceTotal), out.Column)
		f.Cite("AWAW-51.31-B", "%s rolls %s: %s", tf.Name, diceText(tf.Dice), located.Location)
		f.Cite("AWAW-51.31-C", "%s %s", tf.Name, located.Location.meaning())
		out.TaskForces = append(out.TaskForces, located)
	}
	f.Add(checkStrike(in, out.TaskForces))
	if f.Refused() {
		return SurpriseOutcome{}, f
	}
	if in.SecondAirStrike {
		out.secondStrike(&f, in)
	}
	return out, f
}

// checkStrike finds interception dice that nobody may throw: without a second strike, by a TF at Pearl Harbor or in the
// U.S. box, or by one that intercepts automatically (51.31-D). Located is nil while unknown.
func checkStrike(in SurpriseInput, located []LocatedCarrier) rules.Findings {
	var f rules.Findings
	for i, tf := range in.CarrierTaskForces {
		if tf.InterceptionDie == 0 {
			continue
		}
		field := fmt.Sprintf("carrier_task_forces[%d].interception_die", i)
		if !in.SecondAirStrike {
			f.ViolateField(field, "AWAW-51.31-D", "%s rolls to intercept, but there is no second air strike", tf.Name)
			f.ViolateField(field, rules.Input, "%s: %d is given, it is expected only on a second air strike", field,
				tf.InterceptionDie)
		} else if located != nil && !located[i].MayIntercept {
			f.ViolateField(field, "AWAW-51.31-D", "%s is in harbor or in a U.S. box (%s) and may not intercept",
				tf.Name, located[i].Location)
		} else if located != nil && located[i].Location == AutoLocate {
			f.ViolateField(field, "AWAW-51.31-D", "%s intercepts without a roll (auto): leave its die out", tf.Name)
		}
	}
	return f
}

func (out *SurpriseOutcome) secondStrike(f *rules.Findings, in SurpriseInput) {
	for i, tf := range in.CarrierTaskForces {
		l := &out.TaskForces[i]
		l.Intercepts = InterceptsSecondStrike(l.Location, tf.InterceptionDie)
		switch {
		case l.Location == AutoLocate:
			f.Cite("AWAW-51.31-D", "%s meets the second strike without a roll", tf.Name)
		case !l.MayIntercept:
			f.Cite("AWAW-51.31-D", "%s (%s) may not meet the second strike", tf.Name, l.Location)
		case tf.InterceptionDie == 0:
			f.Cite("AWAW-51.31-D", "%s does not try to meet the second strike", tf.Name)
		case l.Intercepts:
			f.Cite("AWAW-51.31-D", "%s rolls %d, at least %s: it meets the second strike", tf.Name, tf.InterceptionDie,
				l.Location)
		default:
			f.Cite("AWAW-51.31-D", "%s rolls %d, less than %s: it misses the second strike", tf.Name,
				tf.InterceptionDie, l.Location)
		}
	}
}
