package replay

import (
	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/journal"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/keys"
	"github.com/watu-ledger/watu/replay/rehear"
	"github.com/watu-ledger/watu/replay/review"
	"github.com/watu-ledger/watu/rules"
)

// Simulator is an umpire of one campaign in a journal that nobody keeps, such as a [journal.Branch] of the record. It
// reads no secret of the campaign: its chains grow from other secrets, and a [SimulatedChance] is asked before them. It
// states neither rules nor what a program must know. Its methods must not be called at the same time.
type Simulator struct {
	id     ulid.ULID
	umpire *Umpire
	live   *liveCampaign
}

// SimulatedChance answers the rolls and draws of a [Simulator].
type SimulatedChance interface {
	// Source answers the needs of one command; the chain is that of the simulator's secrets.
	Source(j Judgement, chain rehear.Chain) rules.Source
	// Drawn repeats a draw that was made before: it is a [rehear.Drawn].
	Drawn(e *events.Event, p *events.DrawDeclared) (rules.Answer, error)
}

// Simulator starts a simulator on a journal, with the systems and boards of this umpire. The campaign is to be
// loaded before anything is heard.
func (u *Umpire) Simulator(j journal.Journal, id ulid.ULID, s keys.Secrets, c SimulatedChance) *Simulator {
	live := &liveCampaign{at: u.clock(), secrets: s}
	return &Simulator{id: id, live: live, umpire: &Umpire{
		ledger: j, keys: keys.NewKeys(""), boards: u.boards, systems: u.systems, games: u.games, now: u.now,
		live: map[ulid.ULID]*liveCampaign{id: live}, simulated: c,
	}}
}

// Load folds what the journal holds, if that is not folded yet. The chains of the record stay as far as they are spent,
// and go on with links of the simulator's secrets.
func (s *Simulator) Load() error { return s.umpire.load(s.live, s.id) }

// Campaign gives the live campaign; nil if it is to be loaded, for a step failed. A change to it holds until then.
func (s *Simulator) Campaign() *campaign.Campaign { return s.live.campaign }

// Timeline gives the timeline of the campaign.
func (s *Simulator) Timeline() *campaign.Timeline { return s.live.timeline }

// Hear is [Umpire.Hear].
func (s *Simulator) Hear(c rules.Command) (Answer, error) { return s.umpire.Hear(s.id, c) }

// Correct is [Umpire.Correct].
func (s *Simulator) Correct(k review.Correction) (Answer, error) { return s.umpire.Correct(s.id, k) }

// Throw lets the dice of the roll that awaits a round of a beacon fall as the answer says, by a command that nobody
// checks.
func (s *Simulator) Throw(c rules.Command, a rules.Answer) (Answer, error) {
	parts, answer, err := s.umpire.resume(s.live, reply{command: c, answer: a,
		request: &campaign.Request{Verb: c.Verb, Entry: c.Body},
		events:  len(s.live.campaign.Open.Roll.Declared.Throws)}, false)
	if err != nil || len(parts) == 0 {
		return answer, err
	}
	return s.umpire.append(s.live, c.ID, events.Hash{}, parts, answer)
}

// BeginEpoch begins an epoch.
func (s *Simulator) BeginEpoch(reason string) error { return s.umpire.beginEpoch(s.live, reason) }

// Append appends a step that nobody judges.
func (s *Simulator) Append(command string, parts ...campaign.Part) (Answer, error) {
	return s.umpire.append(s.live, command, events.Hash{}, parts, Answer{Command: command, Verdict: rules.Allowed})
}
