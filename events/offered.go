package events

import (
	"fmt"
	"strings"
)

// Offered lists the options, each once, with how often those may be named that are there more than once.
func (c *ChoiceAsked) Offered() string {
	times := map[string]int{}
	for _, o := range c.Options {
		times[o]++
	}
	var list []string
	for _, o := range c.Options {
		switch n := times[o]; {
		case n > 1:
			list = append(list, fmt.Sprintf("%s (%d times at most)", o, n))
		case n == 1:
			list = append(list, o)
		}
		times[o] = 0
	}
	return strings.Join(list, ", ")
}
