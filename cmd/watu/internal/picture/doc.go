// Package picture draws what stands for a campaign in small: its map, as an SVG file of its own, an emblem for one
// without a map, and its figures turn by turn ([Plot]). A page shows the file by its address, which names what is drawn
// ([Map.Hash]), and draws the shapes of an emblem and of a plot itself.
//
//	m := picture.Map{Across: 1200, Down: 700, Lands: lands}
//	svg := m.Draw(picture.Files["dark.svg"], picture.PaintsOf(sheet))
//
// The package knows no campaign and no page: who holds what is said to it. [Tint] names the colour of a side in the
// style sheet.
package picture
