package replay_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// scratch: SEED_FILE prefix; SEED_WANT "European Axis:submarine,submarine;Britain:asw"; SEED_OPTS "a=b,c=d"
func TestZZSeed(t *testing.T) {
	file := os.Getenv("SEED_FILE")
	if file == "" {
		return
	}
	text, _ := os.ReadFile(file)
	opts := map[string]string{}
	for _, o := range strings.FieldsFunc(os.Getenv("SEED_OPTS"), func(r rune) bool { return r == ',' }) {
		k, v, _ := strings.Cut(o, "=")
		opts[k] = v
	}
	for i := 1; i < 3000; i++ {
		seed := fmt.Sprintf("s%d", i)
		ok := true
		t.Run(seed, func(t *testing.T) {
			c := newDesk(t).open("transcript", seed, opts)
			for _, f := range strings.Split(string(text), "\n=====\n") {
				for _, w := range strings.Split(os.Getenv("SEED_NEVER"), ";") { _ = w }
				c.must(f)
				_ = f
			}
			s := c.shadow()
			for _, w := range strings.Split(os.Getenv("SEED_WANT"), ";") {
				side, cards, _ := strings.Cut(w, ":")
				ok = ok && s.holds(side, strings.Split(cards, ",")...)
			}
		})
		if ok {
			fmt.Println("SEED", seed)
			return
		}
	}
}
