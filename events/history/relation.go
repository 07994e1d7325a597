package history

// Relation says how an event is tied to an earlier one.
type Relation string

// The relations that payload fields declare.
const (
	Roll     Relation = "roll"     // the declaration of the roll that the event is part of, or results from
	Draw     Relation = "draw"     // the declaration of the draw that the event ends
	Card     Relation = "card"     // the event that committed the card played
	Contest  Relation = "contest"  // the opening of the contest that the event is part of, or uses
	Play     Relation = "play"     // a play that the event negates, negates by, or gives back
	Question Relation = "question" // the question that the event answers
	Dispute  Relation = "dispute"  // the opening of the dispute that the event is part of, or settles
	About    Relation = "about"    // what a dispute, a disclosure, a piece of evidence or a correction is about
	Voids    Relation = "voids"    // what the event takes out of the campaign
	Cause    Relation = "cause"    // the head of the correction that a correction, or a decision on one, follows from
	Left     Relation = "left"     // an event that would be another by a correction, which lets it stand as it is
)

// The relations of the envelope.
const (
	Corrects Relation = "corrects" // the event whose content this one replaces
	Replaces Relation = "replaces" // the event in whose place this one counts
	Opens    Relation = "opens"    // an event of which this one opens a commitment
)

// Relations lists those that payload fields declare.
func Relations() []Relation {
	return []Relation{Roll, Draw, Card, Contest, Play, Question, Dispute, About, Voids, Cause, Left}
}

// Rests reports whether an event rests on what it names by the relation, so that this cannot be voided alone. What is
// stated about an event does not rest on it.
func (r Relation) Rests() bool {
	switch r {
	case Roll, Draw, Card, Contest, Play, Question:
		return true
	}
	return false
}

// names reports whether an index in a field of the relation names an event. Event 0 opens the campaign: in fields that
// could not mean it, 0 stands for none.
func (r Relation) names(index uint64) bool {
	return index != 0 || r == About || r == Voids || r == Opens
}
