package story

import "math"

// Odds says how many wars of fair dice are luckier, or less lucky, than this one: "one war in 5".
func Odds(chance float64) Sentence {
	switch {
	case chance >= 0.4:
		return Sentence{Key: "odds-half"}
	case chance < 0.001:
		return Sentence{Key: "odds-none"}
	}
	return Sentence{Key: "odds", With: Parts{"n": Count{Of: "plain", N: int64(math.Round(1 / chance))}}}
}
