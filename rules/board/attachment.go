package board

import (
	"slices"
	"strconv"
	"strings"
)

// attachments checks that what is attached to a territory finds it, and takes what the options
// of its own attachment say. Files exist that give a territory two such attachments: as in
// TripleA, the last takes the place of the others.
func (s *settler) attachments() error {
	last := map[int]*element{}
	var again []string
	for _, e := range s.game["attachmentList/attachment"] {
		if e.get("type") != "territory" && e.get("name") != ofTerritory {
			continue
		}
		if _, variable := e.find("foreach"); variable {
			return e.fault("an attachment with foreach cannot be read: write one for each territory")
		}
		i, err := s.spaceIn(e, "attachTo")
		if err != nil {
			return err
		}
		if e.get("name") != ofTerritory {
			continue
		}
		if key := "again " + s.board.spaces[i].Name; last[i] != nil && s.stated[key] == nil {
			s.stated[key] = e
			again = append(again, s.board.spaces[i].Name)
		}
		last[i] = e
	}
	s.board.lackIdly("these spaces have more than one attachment, of which the last counts: %s", again)
	return s.options(last)
}

const ofTerritory = "territoryAttachment"

// options takes the options of the territories' last attachments, and the names of canals.
func (s *settler) options(last map[int]*element) error {
	for _, o := range s.game["attachment/option"] {
		switch name := o.parent.get("name"); {
		case name == ofTerritory:
			i, ok := s.space[o.parent.get("attachTo")]
			if !ok || last[i] != o.parent {
				continue
			}
			if err := s.territoryOption(o, &s.board.spaces[i]); err != nil {
				return err
			}
		case strings.HasPrefix(name, "canalAttachment") && o.get("name") == "canalName":
			canal, err := o.need("value")
			if err != nil {
				return err
			}
			if key := "canal " + canal; s.stated[key] == nil {
				s.stated[key] = o
				s.canals = append(s.canals, canal)
			}
		}
	}
	return nil
}

func (s *settler) territoryOption(o *element, space *Space) error {
	switch o.get("name") {
	case "production":
		n, err := o.number("value", "the production of "+shown(space.Name))
		if err != nil {
			return err
		}
		if err := s.once(o, space.Production == n, "the production of "+strconv.Quote(space.Name)); err != nil {
			return err
		}
		space.Production = n
	case "capital":
		p, err := s.powerIn(o, "value")
		if err != nil {
			return err
		}
		if err := s.once(o, space.Capital == s.name(p), "whose capital "+strconv.Quote(space.Name)+" is"); err != nil {
			return err
		}
		space.Capital = s.name(p)
	case "originalOwner":
		p, err := s.powerIn(o, "value")
		if err != nil {
			return err
		}
		space.Original = s.name(p)
	case "whenCapturedByGoesTo":
		return s.passing(o, space)
	case "blockadeZone":
		space.Convoy = isTrue(o.get("value"))
	case "kamikazeZone":
		space.Kamikaze = isTrue(o.get("value"))
	}
	return nil
}

// passing takes "British:UK_Pacific": what the first captures goes to the second.
func (s *settler) passing(o *element, space *Space) error {
	by, to, ok := strings.Cut(o.get("value"), ":")
	if !ok {
		return o.fault("whenCapturedByGoesTo is written POWER:POWER, not %s", shown(o.get("value")))
	}
	for _, name := range []string{by, to} {
		if _, known := s.power[name]; !known {
			return o.fault("whenCapturedByGoesTo names %s, which is no player of this game%s", shown(name),
				s.board.powerNames.meant(name))
		}
	}
	if p := (Passing{by, to}); !slices.Contains(space.Passes, p) {
		space.Passes = append(space.Passes, p)
	}
	return nil
}
