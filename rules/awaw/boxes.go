package awaw

import (
	"strings"

	"github.com/watu-ledger/watu/rules"
)

// Box is an SW box.
type Box string

// The SW boxes.
const (
	Atlantic    Box = "atlantic"
	IndianOcean Box = "indian_ocean"
	Pacific     Box = "pacific"
)

// Boxes gives the three SW boxes.
func Boxes() []Box { return []Box{Atlantic, IndianOcean, Pacific} }

// Name is the box's name in a sentence.
func (b Box) Name() string { return title(b) }

func boxNames(boxes []Box) string {
	names := rules.Each(boxes, Box.Name)
	return strings.Join(names, " and ")
}
