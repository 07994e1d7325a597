package events

// The payloads: what each type of event says beyond its envelope. The pb tags are the field
// numbers of events.proto; a number is never used again for something else. Sides, cards,
// boxes, phases and facts carry the rulebook's own names, so that a view needs no rules to
// show them.

// CampaignOpened is the first event of a campaign.
type CampaignOpened struct {
	Name    string   `pb:"1" json:"name"`
	System  string   `pb:"2" json:"system"`          // "awaw"
	Edition string   `pb:"3" json:"edition"`         // name of the edition; its hash is in the envelope
	Demo    bool     `pb:"4" json:"demo,omitempty"`  // opened with a published seed: its dice prove nothing
	Dice    string   `pb:"5" json:"dice"`            // mode of the dice: "chain", "attested" or "beacon"
	Sides   []string `pb:"6" json:"sides"`           // in the rulebook's order
	Options []Option `pb:"7" json:"options"`         // every option of the edition with its value
	Pools   []Pool   `pb:"8" json:"pools,omitempty"` // card pools as they start
	Note    string   `pb:"9" json:"note,omitempty"`  // what the umpire says of the campaign

	Board      Board      `pb:"10" json:"board,omitzero"`       // where one is played on
	Treasuries []Treasury `pb:"11" json:"treasuries,omitempty"` // as they start, in turn order

	// types of event that a program must know to go on; none in schema 1
	Requires []string `pb:"12" json:"requires,omitempty"`
	Rules    Hash     `pb:"13" json:"rules,omitzero"` // fingerprint of the rules that judge; zero in schema 1

	Beacon Beacon `pb:"14" json:"beacon,omitzero"` // of beacon dice: what decides them
	// who cosigns declarations: a policy of package events/tree; empty where seats of other sides do
	Witnesses string `pb:"15" json:"witnesses,omitempty"`

	Proxy bool `pb:"17" json:"proxy,omitempty"` // whether the umpire may enter what a seat with a key has to sign
	// of beacon dice: "chain" where the host's chain decides a roll that has lapsed as often as it may
	Unwitnessed string `pb:"18" json:"unwitnessed,omitempty"`

	// seconds after which the umpire may answer a question in the place of a side that did not; 0 for never
	AnswerWithin int64 `pb:"20" json:"answer_within,omitempty"`
	// "players" where each side's player draws its cards by himself, and nobody else knows them; else the host draws
	Hands string `pb:"22" json:"hands,omitempty"`
	// whether an entry of a side counts only when the seat of that side signed it, from the first entry on
	Signed bool `pb:"23" json:"signed,omitempty"`
	// of hands of players: the age recipient of who may open them, for a dispute
	Arbiter string `pb:"24" json:"arbiter,omitempty"`
}

// Beacon is a source of public randomness, as package events/beacon has it.
type Beacon struct {
	Name      string `pb:"1" json:"name"`
	Chain     string `pb:"2" json:"chain"`
	PublicKey string `pb:"3" json:"public_key"`
	Genesis   int64  `pb:"4" json:"genesis"` // Unix seconds of round 1
	Period    int64  `pb:"5" json:"period"`  // seconds between rounds
	Scheme    string `pb:"6" json:"scheme"`
}

// Option is a reading of the rules that the campaign has settled, or "ask".
type Option struct {
	Name  string `pb:"1" json:"name"`
	Value string `pb:"2" json:"value"`
	Rule  string `pb:"3" json:"rule"` // id of the ambiguity that it settles
}

// Pool is a side's whole deck at the start.
type Pool struct {
	Side  string  `pb:"1" json:"side"`
	Deck  string  `pb:"2" json:"deck"`
	Cards []Count `pb:"3" json:"cards"`
}

// Count is a number of cards of one type.
type Count struct {
	Card  string `pb:"1" json:"card"`
	Count int    `pb:"2" json:"count"`
}

// SeatTaken gives a person the sides that he speaks for.
type SeatTaken struct {
	Seat  string   `pb:"1" json:"seat"`
	Role  string   `pb:"2" json:"role"` // "umpire" or "player"
	Sides []string `pb:"3" json:"sides"`
}

// EpochBegun states the anchors of a new set of chains; those of the epoch before are void.
type EpochBegun struct {
	Reason string   `pb:"1" json:"reason"`
	Chains []Anchor `pb:"2" json:"chains"`
	// "position" where the seed of a roll or draw holds the position of its link; empty where it holds the index of its
	// declaration, as in older records and where the campaign's seed is published
	Seeds string `pb:"3" json:"seeds,omitempty"`
}

// Anchor is the end of a hash chain and the number of links before it.
type Anchor struct {
	Chain  string `pb:"1" json:"chain"` // "dice", "draws/Britain"; a player's is "seat/", and his key's fingerprint
	Anchor Hash   `pb:"2" json:"anchor"`
	Length uint64 `pb:"3" json:"length" ref:"-"`
}

// Source names the link that decides a roll or draw before it is known: the chain, and the
// number of the reveal, from 1.
type Source struct {
	Chain    string `pb:"1" json:"chain"`
	Position uint64 `pb:"2" json:"position" ref:"-"`
}

// TurnAdvanced begins a game turn.
type TurnAdvanced struct {
	Ordinal uint64 `pb:"1" json:"ordinal" ref:"-"`
	Label   string `pb:"2" json:"label"`
	Year    int    `pb:"3" json:"year,omitempty"`
	Season  string `pb:"4" json:"season,omitempty"`
}

// PhaseAdvanced begins a phase; Player is the side whose player turn it belongs to, if any.
type PhaseAdvanced struct {
	Phase  string `pb:"1" json:"phase"`
	Player string `pb:"2" json:"player,omitempty"`
}

// FactReported states something about the board that the ledger cannot know by itself, or, with a
// derivation, who controls a territory by what follows from an entry. It stands until it is reported
// anew. A number or a list of names; a secret number is committed, in a slot that names the fact.
type FactReported struct {
	Fact    string   `pb:"1" json:"fact"`
	Subject string   `pb:"2" json:"subject,omitempty"`
	Number  int      `pb:"3" json:"number"`
	Names   []string `pb:"4" json:"names,omitempty"`
	Secret  bool     `pb:"5" json:"secret,omitempty"`
}

// ResearchAllocated puts research points into a project; how many is committed in slot
// "points".
type ResearchAllocated struct {
	Project string `pb:"1" json:"project"`
}

// ResultProduced spends research points on a result; what it cost is committed in slot
// "cost".
type ResultProduced struct {
	Project string `pb:"1" json:"project"`
	Year    int    `pb:"2" json:"year"`
}

// WarDeclared brings two sides or powers to war.
type WarDeclared struct {
	By    string `pb:"1" json:"by"`
	On    string `pb:"2" json:"on"`
	Level int    `pb:"3" json:"level,omitempty"` // tension level at that moment, where the rules use one
}

// CardAdded enlarges a pool by one card, whose type is committed in slot "card".
type CardAdded struct {
	Deck     string `pb:"1" json:"deck"`
	PoolSize int    `pb:"2" json:"pool_size"` // with the new card
}

// DrawDeclared states which link will decide a draw, before it does.
type DrawDeclared struct {
	Deck     string `pb:"1" json:"deck"`
	Count    int    `pb:"2" json:"count"`
	PoolSize int    `pb:"3" json:"pool_size"`
	Source   Source `pb:"4" json:"source"`
	// of hands of players: the round of the beacon, still to come, that decides together with the player's own link
	Round uint64 `pb:"5" json:"round,omitempty" ref:"-"`
}

// CardsDrawn ends a draw; each card is committed in a slot of its own, in the order drawn:
// "Britain 1", "Britain 2", …; the slot [SlotArbiter] stands behind them.
type CardsDrawn struct {
	Deck     string `pb:"1" json:"deck"`
	Count    int    `pb:"2" json:"count"`
	Declared uint64 `pb:"3" json:"declared" ref:"draw"` // index of the DrawDeclared event

	// of hands of players: that of the round, in hexadecimal digits; and a checkpoint with the declaration that a seat
	// of another side cosigned before the round, empty where none did
	Signature string `pb:"4" json:"signature,omitempty"`
	Note      string `pb:"5" json:"note,omitempty"`
}

// SlotArbiter is where the player who drew cards by himself commits to what he encrypted to the campaign's arbiter.
const SlotArbiter = "arbiter"

// Cards are the commitments to the cards that an event draws.
func Cards(e *Event) []Commitment {
	if last := len(e.Commitments) - 1; last >= 0 && e.Commitments[last].Slot == SlotArbiter {
		return e.Commitments[:last]
	}
	return e.Commitments
}

// Ref points at a committed fact: a slot of the event at Index.
type Ref struct {
	Index uint64 `pb:"1" json:"index" ref:"card"`
	Slot  string `pb:"2" json:"slot"`
}

// ContestOpened begins a contest of cards. Its index names the contest.
type ContestOpened struct {
	Kind     string   `pb:"1" json:"kind"`
	Deck     string   `pb:"2" json:"deck"`
	Acting   string   `pb:"3" json:"acting"`
	Opposing string   `pb:"4" json:"opposing"`
	Scope    []string `pb:"5" json:"scope,omitempty"` // boxes or actions affected
	Subject  string   `pb:"6" json:"subject,omitempty"`
}

// CardPlayed puts a card into a contest; the envelope's side played it, and its opening
// shows that it is the card drawn.
type CardPlayed struct {
	Contest uint64 `pb:"1" json:"contest" ref:"contest"`
	Deck    string `pb:"2" json:"deck"`
	Card    string `pb:"3" json:"card"`
	As      string `pb:"4" json:"as,omitempty"` // what a wild card stands for
	Drawn   Ref    `pb:"5" json:"drawn"`
}

// PlayCommitted is a play that stays secret until the rules disclose it: the cards are
// committed together, as a JSON list, so that not even their number shows.
type PlayCommitted struct {
	Contest uint64 `pb:"1" json:"contest" ref:"contest"`
	Deck    string `pb:"2" json:"deck"`
}

// CardNegated says that a play has lost its effect; the envelope's side had played it.
type CardNegated struct {
	Contest uint64 `pb:"1" json:"contest" ref:"contest"`
	Card    string `pb:"2" json:"card"`
	Played  uint64 `pb:"3" json:"played" ref:"play"` // index of the play negated
	By      uint64 `pb:"4" json:"by" ref:"play"`     // index of the play that negates it
}

// Passed says that the envelope's side plays no further card in a contest for now.
type Passed struct {
	Contest uint64 `pb:"1" json:"contest" ref:"contest"`
}

// ContestSettled ends a contest. Modifier is seen from the acting side.
type ContestSettled struct {
	Contest       uint64   `pb:"1" json:"contest" ref:"contest"`
	Kind          string   `pb:"2" json:"kind"`
	Acting        string   `pb:"3" json:"acting"`
	Opposing      string   `pb:"4" json:"opposing"`
	ActingCards   int      `pb:"5" json:"acting_cards"`
	OpposingCards int      `pb:"6" json:"opposing_cards"`
	Advantage     string   `pb:"7" json:"advantage,omitempty"`
	Modifier      int      `pb:"8" json:"modifier"`
	Scope         []string `pb:"9" json:"scope,omitempty"`
	Effects       []Figure `pb:"10" json:"effects,omitempty"`
	Subject       string   `pb:"11" json:"subject,omitempty"`
}

// Figure is a named number or word of a result.
type Figure struct {
	Name  string `pb:"1" json:"name"`
	Value int    `pb:"2" json:"value"`
	Text  string `pb:"3" json:"text,omitempty"` // set where the figure is a word
}

// CardsReturned puts a side's drawn cards back into its pool.
type CardsReturned struct {
	Deck  string `pb:"1" json:"deck"`
	Count int    `pb:"2" json:"count"`
}

// Modifier is one entry of a modifier list, with the rule that gives it.
type Modifier struct {
	Name  string `pb:"1" json:"name"`
	Value int    `pb:"2" json:"value"`
	Rule  string `pb:"3" json:"rule"`
}

// ResultAdjudicated is what the rules make of the dice.
type ResultAdjudicated struct {
	Procedure string     `pb:"1" json:"procedure"` // "awaw.sw.submarine"
	Subject   string     `pb:"2" json:"subject"`   // the box, the harbor
	Attacker  string     `pb:"3" json:"attacker"`
	Defender  string     `pb:"4" json:"defender"`
	Contest   uint64     `pb:"5" json:"contest,omitempty" ref:"contest"` // index of the contest whose effect is in Net
	Modifiers []Modifier `pb:"6" json:"modifiers,omitempty"`
	Net       int        `pb:"7" json:"net"`
	Readings  []Reading  `pb:"8" json:"readings"`
	Figures   []Figure   `pb:"9" json:"figures,omitempty"`
	Declared  uint64     `pb:"10" json:"declared" ref:"roll"` // index of the RollDeclared event
}

// Reading is one look into a printed table.
type Reading struct {
	Name     string `pb:"1" json:"name"`
	Side     string `pb:"2" json:"side,omitempty"`
	Table    string `pb:"3" json:"table"`
	Factors  int    `pb:"4" json:"factors,omitempty"`
	Dice     []int  `pb:"5" json:"dice"`
	Total    int    `pb:"6" json:"total"`
	Modified int    `pb:"7" json:"modified"`
	Column   string `pb:"8" json:"column"`
	Rows     []int  `pb:"9" json:"rows,omitempty"`
	First    int    `pb:"10" json:"first"`
	Second   int    `pb:"11" json:"second"`
	Result   string `pb:"12" json:"result"` // as printed
}

// ChoiceAsked ends a step with a question to a side. Only its answer, a dispute or a
// correction is accepted until it is answered.
type ChoiceAsked struct {
	Question string   `pb:"1" json:"question"`
	Of       string   `pb:"2" json:"of"`
	Options  []string `pb:"3" json:"options"`
	Most     int      `pb:"4" json:"most,omitempty"` // how many options may be named together, 0 for one
	Secret   bool     `pb:"5" json:"secret,omitempty"`
	Rule     string   `pb:"6" json:"rule"` // the rule that gives the choice
}

// ChoiceMade answers a ChoiceAsked event. A secret answer is committed in slot "choice" and
// Options is empty.
type ChoiceMade struct {
	Asked   uint64   `pb:"1" json:"asked" ref:"question"`
	Options []string `pb:"2" json:"options,omitempty"`
}

// Referred ends a step with a question to the umpire: the rules are silent or contradict
// themselves, and the campaign has no answer yet.
type Referred struct {
	Rule     string   `pb:"1" json:"rule"`
	Option   string   `pb:"2" json:"option"`
	Question string   `pb:"3" json:"question"`
	Readings []string `pb:"4" json:"readings"`
}

// OptionRuled settles an option from here on.
type OptionRuled struct {
	Option   string `pb:"1" json:"option"`
	Value    string `pb:"2" json:"value"`
	Was      string `pb:"3" json:"was"`
	Reason   string `pb:"4" json:"reason"`
	Rule     string `pb:"5" json:"rule"`
	Referred uint64 `pb:"6" json:"referred,omitempty" ref:"question"` // index of the question answered, 0 for none
}

// Opened discloses a committed fact; the envelope carries the opening.
type Opened struct {
	Event  uint64 `pb:"1" json:"event" ref:"about"`
	Slot   string `pb:"2" json:"slot"`
	Fact   string `pb:"3" json:"fact"`
	Reason string `pb:"4" json:"reason"`
}

// Corrected says that inputs of an earlier command were wrong. The events that follow in the
// same step carry the corrected results, each with the index of the one it corrects.
type Corrected struct {
	Event   uint64   `pb:"1" json:"event" ref:"about"` // any event of the command
	Command string   `pb:"2" json:"command"`           // the command corrected
	Code    string   `pb:"3" json:"code"`
	Reason  string   `pb:"4" json:"reason"`
	Changes []Change `pb:"5" json:"changes"`

	// events of the command that do not stand any more, ascending
	Voids []uint64 `pb:"6" json:"voids,omitempty" ref:"voids"`
	// "thrown again" or "replaced" where the dice do not stand
	Dice    string `pb:"7" json:"dice,omitempty"`
	Dispute uint64 `pb:"8" json:"dispute,omitempty" ref:"dispute"` // on which it was ruled

	// of a consequence: the head of the correction that it follows from
	Cause uint64 `pb:"9" json:"cause,omitempty" ref:"cause"`
	// consequences that the step does not apply, in the order in which they count
	Left []Left `pb:"10" json:"left,omitempty"`
}

// Left is a consequence of a correction that is not applied with it: a later command whose results would be others on
// what is corrected.
type Left struct {
	Event uint64 `pb:"1" json:"event" ref:"left"` // the first of its events that would be another, or not happen
	// "kept", "undecided", or "waits" where it needs what the record does not have
	Choice  string   `pb:"2" json:"choice"`
	Figures []Change `pb:"3" json:"figures"` // what would be otherwise
}

// The choices of [Left]. Programs before "undecided" wrote "kept" for it.
const (
	LeftKept      = "kept"
	LeftUndecided = "undecided" // neither a person nor a file decided
	LeftWaits     = "waits"
)

// ConsequenceKept decides later that a consequence of a correction is not applied. The events stay as they are
// recorded.
type ConsequenceKept struct {
	Cause  uint64   `pb:"1" json:"cause" ref:"cause"`  // the head of the correction
	Events []uint64 `pb:"2" json:"events" ref:"about"` // that would be others, ascending
	Reason string   `pb:"3" json:"reason"`
}

// Declassified discloses, by the openings that the event carries, all that was kept secret of the sides of a seat, and
// the newest used link of its player's chain: with it anybody repeats the draws.
type Declassified struct {
	Seat string `pb:"1" json:"seat"`
	Link Link   `pb:"2" json:"link"`
}

// SecretsRead says that, in its turn, somebody looked at what is sealed: by what the host holds, in a campaign whose
// players sign. Pages and answers leave one a turn, files one a turn.
type SecretsRead struct {
	As   string `pb:"1" json:"as"`             // "umpire", or a side for which the host looked
	File bool   `pb:"2" json:"file,omitempty"` // it was written into a file
}

// Change is one input before and after a correction, as JSON.
type Change struct {
	Field string `pb:"1" json:"field"`
	Was   string `pb:"2" json:"was"`
	Now   string `pb:"3" json:"now"`
}

// SeatKeyed gives a seat the key with which its player signs commands from here on. The event carries such a command
// of his, which shows that he has the key.
type SeatKeyed struct {
	Seat string `pb:"1" json:"seat"`
	Key  string `pb:"2" json:"key"` // text of a verifier of package events/tree
	// of the player's own chain, from which he draws; zero for none
	Chain Anchor `pb:"3" json:"chain,omitzero"`
}

// SeatRekeyed gives a seat another key. The old key signed it, or the umpire entered it: from then on the signatures of
// that seat prove no more than the umpire's word.
type SeatRekeyed struct {
	Seat     string `pb:"1" json:"seat"`
	Key      string `pb:"2" json:"key"`
	ByUmpire bool   `pb:"3" json:"by_umpire,omitempty"`
	Chain    Anchor `pb:"4" json:"chain,omitzero"`
}
