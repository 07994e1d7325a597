package board

import (
	"slices"
	"strconv"
)

// players takes the powers in the order of the file.
func (s *settler) players() error {
	for _, e := range s.game["playerList/player"] {
		name, err := s.newName(e, s.power, "player")
		if err != nil {
			return err
		}
		s.power[name] = len(s.board.powers)
		s.board.powers = append(s.board.powers, Power{Name: name})
	}
	s.namePowers()
	if len(s.board.powers) == 0 {
		return fault(0, "this is not a TripleA game: its <playerList> has no <player>")
	}
	return nil
}

// namePowers makes the tables of names from the powers as they stand.
func (s *settler) namePowers() {
	var own []string
	for i, p := range s.board.powers {
		s.power[p.Name] = i
		own = append(own, p.Name)
	}
	s.board.powerNames = newNames(own)
}

// steps puts the powers into the order in which they play a round. Steps that run a few times
// only, such as bids, come in another order and do not count.
func (s *settler) steps() error {
	turn := make([]int, len(s.board.powers)) // 1 for the first to play, 0 for none
	next := 0
	for _, e := range s.game["sequence/step"] {
		if e.get("player") == "" {
			continue
		}
		p, err := s.powerIn(e, "player")
		if err != nil {
			return err
		}
		if p >= 0 && turn[p] == 0 && everyRound(e) {
			next++
			turn[p] = next
		}
	}
	if next == 0 {
		for i := range s.board.powers {
			s.board.powers[i].Plays = true
		}
		s.board.lacks = append(s.board.lacks,
			"the file gives no order of play: powers are in the order of its player list")
		return nil
	}
	var playing, others []Power
	playing = make([]Power, next)
	for i, p := range s.board.powers {
		if turn[i] == 0 {
			others = append(others, p)
			continue
		}
		p.Plays = true
		playing[turn[i]-1] = p
	}
	s.board.powers = slices.Concat(playing, others)
	s.namePowers()
	return nil
}

// everyRound distinguishes the steps of a round from those that a game runs only a few times, such as
// bids.
func everyRound(step *element) bool {
	n, err := strconv.Atoi(step.get("maxRunCount"))
	return err != nil || n <= 0
}

func (s *settler) alliances() error {
	for _, e := range s.game["playerList/alliance"] {
		p, err := s.powerIn(e, "player")
		if err != nil {
			return err
		}
		name, err := e.need("alliance")
		if err != nil {
			return err
		}
		if p < 0 || slices.Contains(s.board.powers[p].Alliances, name) {
			continue
		}
		s.board.powers[p].Alliances = append(s.board.powers[p].Alliances, name)
		if !slices.ContainsFunc(s.board.alliances, func(a Alliance) bool { return a.Name == name }) {
			s.board.alliances = append(s.board.alliances, Alliance{Name: name})
		}
	}
	for i := range s.board.alliances {
		a := &s.board.alliances[i]
		for _, p := range s.board.powers {
			if slices.Contains(p.Alliances, a.Name) {
				a.Powers = append(a.Powers, p.Name)
			}
		}
	}
	return nil
}
