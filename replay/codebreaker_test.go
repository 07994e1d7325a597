package replay_test

import "fmt"

var (
	sides  = []string{"European Axis", "Britain", "Japan", "United States"}
	powers = []string{"Germany", "Italy", "Britain", "France", "Japan", "United States", "Russia"}
	cards  = []string{"submarine", "asw", "tactical", "strategic", "wild", "blank"}
	decks  = map[string]string{"European Axis": "Ultra", "Britain": "Ultra", "Japan": "Magic", "United States": "Magic"}
)

// codebreaker plays A World at War.
type codebreaker struct{ *player }

func (p codebreaker) length() int { return 12 }

func (p codebreaker) acts() int { return 8 + p.IntN(14) }

// label counts the seasons from Spring 1941.
func (p codebreaker) label(i int) string {
	seasons := [...]string{"Spring", "Summer", "Fall", "Winter"}
	return fmt.Sprintf("%s %d", seasons[i%4], 1941+i/4)
}

// begin: points, a result, the draws.
func (p codebreaker) begin() {
	if p.IntN(2) == 0 {
		_, _ = p.say("declare war", entry{"declare war": entry{"by": "Japan", "on": "United States",
			"usjt": 28 + p.IntN(15)}})
	}
	side := pick(p, sides...)
	_, _ = p.say("allocate", entry{"allocate": entry{"side": side, "project": decks[side], "points": 3}})
	_, _ = p.say("produce", entry{"produce": entry{"side": side, "project": decks[side], "card": pick(p, cards...)}})
	if p.c.now().Open != nil {
		return
	}
	_, _ = p.say("draw", entry{"draw": "Ultra"})
	_, _ = p.say("draw", entry{"draw": "Magic"})
}

func (p codebreaker) act() {
	side := pick(p, sides...)
	switch p.IntN(16) {
	case 15:
		p.compensate()
	case 0:
		_, _ = p.say("allocate", entry{"allocate": entry{"side": side, "project": decks[side],
			"points": p.IntN(6) - 1}})
	case 1, 2:
		_, _ = p.say("produce", entry{"produce": entry{"side": side, "project": decks[side],
			"card": pick(p, cards...)}})
	case 3, 4:
		_, _ = p.say("draw", entry{"draw": pick(p, "Ultra", "Magic")})
	case 5:
		_, _ = p.say("declare war", entry{"declare war": entry{"by": pick(p, powers...), "on": pick(p, powers...),
			"usjt": p.IntN(50)}})
	case 6:
		p.report()
	case 7, 8:
		p.warfare(side)
	case 9:
		contest := entry{"kind": pick(p, "search", "interception", "naval nationality", "onboard submarine",
			"raiders"), "acting": side, "subject": pick(p, "", "Rabaul", "Truk")}
		if contest["kind"] == "raiders" {
			contest["box"] = "Indian Ocean"
		}
		_, _ = p.say("contest", p.withCards(entry{"contest": contest}, side))
	case 10:
		p.harbor()
	case 11:
		magic := entry{"missions": []string{"Rabaul", "Truk"}}
		if p.IntN(3) == 0 {
			magic["elsewhere"] = []string{"Truk"}
		}
		if p.IntN(3) == 0 {
			magic["intercept"] = []string{"Rabaul", "Truk"}[:1+p.IntN(2)]
		}
		_, _ = p.say("magic interception", p.withCards(entry{"magic interception": magic}, "United States"))
	case 12:
		p.pearl()
	case 13:
		p.correct()
	case 14:
		p.bomb()
	}
}

// compensate gives back a card that was played of late, or factors.
func (p codebreaker) compensate() {
	e := entry{"reason": "drawn by lot"}
	for _, x := range p.c.all() {
		if x.Type == "card_played" || x.Type == "play_committed" || e["card"] == nil {
			e["card"] = x.Index
		}
	}
	if p.IntN(4) == 0 {
		e["factors"] = entry{pick(p, "Atlantic", "Pacific", "Baltic"): entry{pick(p, "submarines",
			"asw"): p.IntN(5) - 2}}
	}
	_, _ = p.say("compensate", entry{"compensate": e})
}

func (p codebreaker) bomb() {
	e := entry{"target": "Kiel", "attacker": pick(p, powers...), "defender": pick(p, powers...)}
	if p.IntN(2) == 0 {
		e["air combat"], e["jets"] = entry{"attacker": p.IntN(70), "defender": p.IntN(40)}, entry{"defender": p.IntN(3)}
	}
	if p.IntN(3) > 0 {
		e["bombers"], e["defense"], e["excess range"] = p.IntN(40), entry{"flak": p.IntN(6), "cities": 1,
			"ports": p.IntN(2)}, p.IntN(20)
	}
	_, _ = p.say("strategic bombing", entry{"strategic bombing": e})
}

func (p codebreaker) report() {
	_, _ = p.say("facts", pick(p,
		entry{"facts": entry{"cves": entry{"Atlantic": p.IntN(30), "Pacific": p.IntN(15)}}},
		entry{"facts": entry{"axis controls": []string{pick(p, "Brest", "Vigo", "Gibraltar")}}},
		entry{"facts": entry{"torpedo": entry{"Germany": p.IntN(4)}}},
		entry{"facts": entry{"general intelligence": entry{pick(p, sides...): p.IntN(3)}}},
		entry{"facts": entry{"ireland": p.IntN(9)}},
		entry{"facts": entry{"harbor results": entry{pick(p, powers...): []string{"6", "7", "8+"}[p.IntN(3):]}}},
		entry{"facts": entry{"radar": entry{"Germany": p.IntN(4)}, "air defense": entry{"Japan": p.IntN(4)}}},
	))
}

func (p codebreaker) warfare(side string) {
	box := pick(p, "Atlantic", "Indian Ocean", "Pacific")
	e := entry{"submarine warfare": entry{"box": box, "side": side, "submarines": p.IntN(70), "asw": p.IntN(70),
		"again": true}}
	_, _ = p.say("submarine warfare", p.withCards(e, side))
}

// withCards lists cards at times, those of a hand or others, and else lets the sides be asked.
func (p codebreaker) withCards(e entry, acting string) entry {
	switch p.IntN(3) {
	case 0:
		e["cards"] = []entry{}
	case 1:
		opposing := map[string]string{"European Axis": "Britain", "Britain": "European Axis", "Japan": "United States",
			"United States": "Japan"}[acting]
		var list []entry
		for i := range p.IntN(4) {
			side := []string{acting, opposing}[i%2]
			list = append(list, entry{side: pick(p, append(p.c.shadow().unused(side), "pass", pick(p, cards...))...)})
		}
		e["cards"] = list
	}
	return e
}

func (p codebreaker) harbor() {
	attacker, defender := pick(p, powers...), pick(p, powers...)
	attack := entry{
		"port": "Kiel", "theater": pick(p, "Europe", "Pacific"), "by": pick(p, "submarine", "carrier"),
		"attacker": attacker, "defender": defender,
		"result": pick(p, "6", "7", "8+"), "distance": p.IntN(14), "targets": []string{"Hood", "Ark Royal"}[:1+
			p.IntN(2)],
		"advanced submarine": p.IntN(4) == 0, "nas": p.IntN(9), "from": "Leith",
	}
	if attack["by"] == "carrier" {
		attack["carrier"] = pick(p, "Glorious", "Akagi")
	}
	if p.IntN(2) == 0 {
		p.ships(attack)
	}
	_, _ = p.say("harbor attack", p.withCards(entry{"harbor attack": attack}, pick(p, sides...)))
}

// ships says which ships are in a port, and lets the targets be asked for at times.
func (p codebreaker) ships(attack entry) {
	if attack["by"] == "carrier" {
		attack["in harbor"] = []string{"Hood", "Ark Royal", "Nelson"}
	} else {
		attack["combat groups"] = entry{"1": []string{"Hood", "Ark Royal"}, "2": []string{"Nelson"}}
		attack["combat group"] = pick(p, "", "1", "2")
	}
	if p.IntN(2) == 0 {
		delete(attack, "targets")
	}
}

func (p codebreaker) pearl() {
	if p.IntN(2) == 0 {
		_, _ = p.say("declare war", entry{"declare war": entry{"by": "Japan", "on": "United States",
			"usjt": p.IntN(50)}})
	}
	e := entry{"pearl harbor": entry{"task forces": []string{"TF 8", "TF 11"}, "second strike": true,
		"other modifiers": p.IntN(5) - 4}}
	switch p.IntN(3) {
	case 0:
		e["japanese cards"], e["american cards"] = []string{}, []string{"strategic"}
	case 1:
		e["japanese cards"] = []string{}
	}
	_, _ = p.say("pearl harbor", e)
}

// correct changes a figure of an earlier entry.
func (p codebreaker) correct() {
	_, _ = p.put(step{
		event: 1 + uint64(p.IntN(int(p.c.now().Next)-1)), value: p.IntN(20),
		change: pick(p, "asw", "submarines", "torpedo", "cves", "distance", "other modifiers", "usjt",
			"factors/Atlantic/asw"),
	})
}
