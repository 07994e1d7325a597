package rules

// Source answers what a [Hearing] needs: with dice and cards that fall now, with what somebody chose, or with what is
// recorded. Live play, a trial, a correction and a what-if differ in their sources alone.
type Source interface {
	// Answer answers a need, never that of a ruling; at is the index of the event that declares it. If ok is false the
	// source has no answer: the judgement ends there, and waits for one. An error ends it for good.
	Answer(n Need, at uint64) (a Answer, ok bool, err error)
}

// Answers is a source of answers that were given before, in their order. A recorded answer may be of another kind than
// is needed, once an input is corrected: then it has none.
type Answers struct{ left []Answer }

// Given is a source of these answers.
func Given(answers ...Answer) *Answers { return &Answers{answers} }

// Left counts the answers that nothing asked for.
func (s *Answers) Left() int { return len(s.left) }

// Answer gives the next answer.
func (s *Answers) Answer(n Need, _ uint64) (a Answer, ok bool, err error) {
	if len(s.left) == 0 || !s.left[0].answers(n) {
		return a, false, nil
	}
	a, s.left = s.left[0], s.left[1:]
	return a, true, nil
}

// answers reports whether the answer is of the kind that is needed.
func (a Answer) answers(n Need) bool {
	if a.Unknown != nil {
		return a.Unknown.Draw && n.Draw != nil || !a.Unknown.Draw && n.Choice != nil
	}
	return (a.Dice != nil) == (n.Roll != nil) && (a.Positions != nil) == (n.Draw != nil)
}
