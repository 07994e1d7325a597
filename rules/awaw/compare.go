package awaw

import (
	"slices"

	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/rules"
)

// CompareInput is a contest as it stands when both sides have stopped playing cards. A nil
// hand is unknown; a given one holds the cards not used before, those put down here included.
type CompareInput struct {
	Contest               Contest `json:"contest"`
	Acting                Faction `json:"acting"`
	Opposing              Faction `json:"opposing"`
	ActingCards           []Card  `json:"acting_cards"`
	OpposingCards         []Card  `json:"opposing_cards"`
	ActingHand            []Card  `json:"acting_hand"`
	OpposingHand          []Card  `json:"opposing_hand"`
	RussianNavalOperation bool    `json:"russian_naval_operation"`
	TaskForces            int     `json:"task_forces"` // American TFs named for Magic interception
	Box                   Box     `json:"box"`         // with campaign_scope per_box
	AfterMagic            bool    `json:"first_round_after_magic_interception"`
	Options               Options `json:"options"`
}

// CompareOutcome is the effect of a contest. Counts include the wild card and the tactical
// card of 48.62. A field that the contest does not have is nil.
type CompareOutcome struct {
	Deck                        Deck     `json:"deck"`
	ActingCount                 int      `json:"acting_count"`
	OpposingCount               int      `json:"opposing_count"`
	Advantage                   *Faction `json:"advantage"`          // who gains the effect, nil for nobody
	Modifier                    *int     `json:"modifier,omitempty"` // seen from the acting side
	AffectedBoxes               []Box    `json:"affected_boxes,omitempty"`
	ActingSearchRolls           *int     `json:"acting_search_rolls,omitempty"`
	OpposingSearchRolls         *int     `json:"opposing_search_rolls,omitempty"`
	ActingNavalNationalityDRM   *int     `json:"acting_naval_nationality_drm,omitempty"`
	OpposingNavalNationalityDRM *int     `json:"opposing_naval_nationality_drm,omitempty"`
	ExtraInterceptionDice       *int     `json:"extra_interception_dice,omitempty"`
	AutomaticInterceptions      *int     `json:"automatic_interceptions,omitempty"`
	FirstRoundTacticalCards     *int     `json:"first_round_tactical_cards,omitempty"`
}

// CheckCompare finds everything that forbids the contest or a card put down in it.
func CheckCompare(in CompareInput) rules.Findings {
	var f rules.Findings
	pair := CheckContest(in.Contest, in.Acting, in.Opposing, in.RussianNavalOperation)
	f.Add(checkPlays("acting_cards", in.Contest, true, in.Acting, in.ActingCards, in.ActingHand))
	f.Add(checkPlays("opposing_cards", in.Contest, false, in.Opposing, in.OpposingCards, in.OpposingHand))
	f.Add(CheckHand("acting_hand", in.Acting, in.ActingHand))
	f.Add(CheckHand("opposing_hand", in.Opposing, in.OpposingHand))
	f.Violations = append(pair.Violations, f.Violations...)

	f.Add(checkContestBox(in))
	f.Add(checkAfterMagic(in))
	f.Add(checkTaskForces(in))
	return f
}

// checkContestBox wants a box of the faction's campaign where, and only where, one matters.
func checkContestBox(in CompareInput) rules.Findings {
	var f rules.Findings
	perBox := in.Options.CampaignScope == "per_box"
	switch {
	case in.Box != "" && in.Contest == RaidersContest: // 48.61-B: one SW box
		if deck := in.Acting.Deck(); !deck.serves(in.Box) {
			f.ViolateField("box", deck.rule("AWAW-48.13-B", "AWAW-48.14-B"), "%s does not affect raiders in the %s box",
				deck.Name(), in.Box.Name())
		}
	case in.Contest != SubmarineWarfareContest && in.Box != "":
		f.ViolateField("box", rules.Input, "box: %s has no SW box, none is expected", in.Contest.Name())
	case in.Contest != SubmarineWarfareContest:
		return f
	case perBox && in.Box == "":
		f.ViolateField("box", rules.Input, "box: missing; campaign_scope per_box expects the box that the cards serve")
	case !perBox && in.Box != "":
		f.ViolateField("box", rules.Input, "box: %q is given, it is expected only with campaign_scope per_box", in.Box)
	case perBox && !slices.Contains(SubmarineBoxes(in.Acting), in.Box):
		f.ViolateField("box", "AWAW-SW-BOX", "submarines of %s do not fight in the %s box", in.Acting.Name(),
			in.Box.Name())
	}
	return f
}

// checkAfterMagic keeps the free tactical card of 48.62 to the American search.
func checkAfterMagic(in CompareInput) rules.Findings {
	var f rules.Findings
	if !in.AfterMagic {
		return f
	}
	const field = "first_round_after_magic_interception"
	if in.Contest != SearchContest {
		f.ViolateField(field, "AWAW-48.62", "a Magic interception counts as a tactical card for search, not for %s",
			in.Contest.Name())
	}
	if in.Acting != UnitedStates {
		f.ViolateField(field, "AWAW-48.62", "the U.S. gains the search effect of a Magic interception, not %s",
			in.Acting.Name())
		f.ViolateField(field, "AWAW-48.61-C", "only the U.S. intercepts by Magic, not %s", in.Acting.Name())
	}
	return f
}

// checkTaskForces holds the TFs named against the unopposed cards (48.61-C2).
func checkTaskForces(in CompareInput) rules.Findings {
	var f rules.Findings
	if in.TaskForces == 0 {
		return f
	}
	if in.Contest != MagicInterceptionContest {
		f.ViolateField("task_forces", rules.Input,
			"task_forces: %d is given, TFs are expected with a Magic interception only", in.TaskForces)
		return f
	}
	if unopposed := max(0, counted(in, true)-counted(in, false)); in.TaskForces > unopposed {
		f.ViolateField("task_forces", "AWAW-48.61-C2", "%s named for %d unopposed strategic cards",
			words.Count(in.TaskForces, "TF"), unopposed)
	}
	return f
}

// counted is how many cards a side has in the contest: those of the type that it plays
// there, the American wild card (48.22-E), and the card of 48.62.
func counted(in CompareInput, acting bool) int {
	faction, cards := in.Opposing, in.OpposingCards
	if acting {
		faction, cards = in.Acting, in.ActingCards
	}
	n := count(cards, in.Contest.Card(acting))
	if faction == UnitedStates {
		n += count(cards, Wild)
	}
	if acting && in.AfterMagic && in.Contest == SearchContest {
		n++
	}
	return n
}

// Compare rules on a contest (48.4, 48.5, 48.6).
func Compare(in CompareInput) (CompareOutcome, rules.Findings) {
	f := CheckCompare(in)
	if f.Refused() {
		return CompareOutcome{}, f
	}
	out := CompareOutcome{
		Deck:          in.Acting.Deck(),
		ActingCount:   counted(in, true),
		OpposingCount: counted(in, false),
	}
	citeCards(&f, in, out)
	lead := sign(out.ActingCount - out.OpposingCount)
	switch {
	case lead > 0:
		out.Advantage = &in.Acting
	case lead < 0:
		out.Advantage = &in.Opposing
	}
	out.settle(&f, in, lead)
	return out, f
}

func citeCards(f *rules.Findings, in CompareInput, out CompareOutcome) {
	rule, step := out.Deck.definition() // 48.12-A, 48.12-B
	f.Cite(rule, "%s; %s faces %s", step, in.Acting.Name(), in.Opposing.Name())
	if count(in.ActingCards, Wild)+count(in.OpposingCards, Wild) > 0 {
		acting := in.Acting == UnitedStates
		f.Cite("AWAW-48.22-E", "the American wild card serves as %s", in.Contest.Card(acting).one())
	}
	if in.AfterMagic {
		f.Cite("AWAW-48.62", "the Magic interception counts as one American tactical card in the first round")
	}
	if pairs := min(out.ActingCount, out.OpposingCount); pairs > 0 {
		f.Cite("AWAW-48.21-E", "%s cards are countered: %d a side", in.Contest.Card(true).Name(), pairs)
	}
}

// settle turns the lead, +1 acting, −1 opposing or 0, into the contest's effect.
func (out *CompareOutcome) settle(f *rules.Findings, in CompareInput, lead int) {
	a, b := out.ActingCount, out.OpposingCount
	switch in.Contest {
	case SubmarineWarfareContest:
		out.Modifier = &lead
		out.AffectedBoxes = SubmarineBoxes(in.Acting)
		if in.Options.CampaignScope == "per_box" {
			out.AffectedBoxes = []Box{in.Box}
		}
		f.Cite("AWAW-48.41-A", "%s against %s: %+d in the %s this turn", Submarine.several(a), ASW.several(b), lead,
			boxNames(out.AffectedBoxes))
		out.citeCap(f, "AWAW-48.42")
	case OnboardSubmarineContest: // the acting side's attacks alone (AMB-AWAW-19)
		out.Modifier = &lead
		f.Cite("AWAW-48.41-B", "%s against %s: %+d to the on-board submarine attacks of %s this player turn",
			Submarine.several(a), ASW.several(b), lead, in.Acting.Name())
		out.citeCap(f, "AWAW-48.42")
	case SearchContest:
		other := -lead
		out.ActingSearchRolls, out.OpposingSearchRolls = &lead, &other
		if in.AfterMagic {
			one := 1
			out.FirstRoundTacticalCards = &one
		}
		f.Cite("AWAW-48.51-A", "%d against %d tactical cards: search rolls %+d for %s and %+d for %s, one round", a, b,
			lead, in.Acting.Name(), other, in.Opposing.Name())
		out.citeCap(f, "AWAW-48.52")
	case NavalNationalityContest:
		acting, opposing := max(0, lead), max(0, -lead)
		out.ActingNavalNationalityDRM, out.OpposingNavalNationalityDRM = &acting, &opposing
		f.Cite("AWAW-48.51-B", "%d against %d tactical cards: Naval Nationality DRM %+d for %s and %+d for %s", a, b,
			acting, in.Acting.Name(), opposing, in.Opposing.Name())
		f.Cite("AWAW-48.53", "in an on-board submarine attack it stands beside what submarine and ASW cards give")
		out.citeCap(f, "AWAW-48.52")
	case HarborAttackContest:
		out.Modifier = &lead
		f.Cite("AWAW-48.51-C", "%d against %d tactical cards: %+d for each target of the harbor attack", a, b, lead)
		out.citeCap(f, "AWAW-48.52")
	default:
		out.settleStrategic(f, in, lead)
	}
}

func (out *CompareOutcome) settleStrategic(f *rules.Findings, in CompareInput, lead int) {
	a, b := out.ActingCount, out.OpposingCount
	switch in.Contest {
	case RaidersContest:
		out.Modifier = &lead
		if in.Box != "" {
			out.AffectedBoxes = []Box{in.Box}
		}
		f.Cite("AWAW-48.61-B",
			"%d against %d strategic cards: raider rolls in one SW box move %+d for %s this player turn", a, b, lead,
			in.Acting.Name())
		out.citeCap(f, "AWAW-48.63-A")
	case InterceptionContest:
		extra := max(0, lead)
		out.ExtraInterceptionDice = &extra
		f.Cite("AWAW-48.61-A",
			"%d against %d strategic cards: %+d dice for each interception roll of %s this player turn", a, b, extra,
			in.Acting.Name())
		out.citeCap(f, "AWAW-48.63-B")
		out.onlyActing(f, lead)
	case MagicInterceptionContest:
		automatic := max(0, a-b)
		first := min(1, automatic)
		out.AutomaticInterceptions, out.FirstRoundTacticalCards = &automatic, &first
		f.Cite("AWAW-48.61-C", "%d American against %d Japanese strategic cards: %s may intercept without a roll", a, b,
			words.Count(automatic, "TF"))
		if automatic > 0 {
			f.Cite("AWAW-48.61-C3", "the level is settled; the U.S. now names the missions (%s named)",
				words.Count(in.TaskForces, "TF"))
			f.Cite("AWAW-48.63-D", "nothing else limits their number")
			f.Cite("AWAW-48.63-E", "each interception begins with the search effect of one tactical card")
		}
		if lead < 0 {
			out.Advantage = nil // a Japanese surplus negates and gains nothing
		}
	}
}

// onlyActing takes the advantage from an opponent whose lead merely cancels (48.63-C).
func (out *CompareOutcome) onlyActing(f *rules.Findings, lead int) {
	if lead < 0 {
		out.Advantage = nil
		f.Cite("AWAW-48.63-C", "the opponent's lead takes no interception die away")
	}
}

// citeCap notes that a lead of several cards has the effect of one.
func (out CompareOutcome) citeCap(f *rules.Findings, rule string) {
	lead := out.ActingCount - out.OpposingCount
	if lead > 1 || lead < -1 {
		f.Cite(rule, "a lead of %d cards has the effect of one", max(lead, -lead))
	}
}

func sign(n int) int { return max(-1, min(1, n)) }
