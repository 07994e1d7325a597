package worded

import (
	"testing"

	"github.com/watu-ledger/watu/projections/document"
)

func TestSentences(t *testing.T) {
	for text, want := range map[string]string{
		"awaw.harbor-attack, Scapa Flow":            "harbor attack, Scapa Flow",
		"awaw.sw.submarine, Atlantic":               "submarine, Atlantic",
		"what stands is upheld, by AAR-4-TURNS.":    "what stands is upheld, by “each TURN has limits of its own”.",
		"U-96 and AAR-4-NOTHING stay as they are.":  "U-96 and AAR-4-NOTHING stay as they are.",
		"Played on the board Straits 1.0, e.g. now": "Played on the board Straits 1.0, e.g. now",
	} {
		if got := Sentence(text); got != want {
			t.Errorf("%q\nis  %q\nnot %q", text, got, want)
		}
	}
}

// A rule goes by its title, rules in brackets are left out, and a time is marked; the part names each rule once.
func TestParts(t *testing.T) {
	s := document.Section{ID: "because", Title: "Derivation"}
	l := document.List{Kind: document.EventList}
	l.Add(document.Event(8), "UK collects 12 IPCs.", document.Text{{Text: " ["}, document.Rule("AAR-4-CAP"),
		{Text: ", "}, document.Rule("AAR-4-RANGE"), {Text: "]"}})
	l.Add(document.Rule("AAR-4-CAP"), "it takes 2")
	s.List(l)
	s.Paragraph("Link 1 of chain dice:")
	s.Paragraph(document.Span{Text: "0e9c", Mark: document.Code})
	s.Paragraph("2026-11-26T22:39:58.523Z")
	d := document.Document{Sections: []document.Section{s, {ID: "rules"}}}
	parts := Parts(d)
	if len(parts) != 1 || len(parts[0].Rules) != 2 {
		t.Fatalf("%d parts, rules %v", len(parts), parts[0].Rules)
	}
	p := parts[0]
	if got := p.Blocks[0].List.Items[0].Text.String(); got != "UK collects 12 IPCs." {
		t.Errorf("the sentence is %q", got)
	}
	if got := p.Blocks[0].List.Items[1].Lead.String(); got != "raids stop at the territory's value" {
		t.Errorf("the rule goes by %q", got)
	}
	if len(p.Folded) != 3 || len(p.Blocks) != 1 {
		t.Errorf("%d blocks are folded, and %d are not", len(p.Folded), len(p.Blocks))
	}
	if id := s.Blocks[0].List.Items[0].Text[2].Text; id != "AAR-4-CAP" {
		t.Errorf("the document itself has %q now", id)
	}
	const time = `<time datetime="2026-11-26T22:39:58.523Z">26 November 2026, 22:39 UTC</time>`
	if got := Text(document.Plainly("2026-11-26T22:39:58.523Z")).HTML(nil); got != time {
		t.Errorf("the time is %s", got)
	}
}

// A hash below an item of a list is folded, and goes by the item's name.
func TestHashesOfLists(t *testing.T) {
	s := document.Section{ID: "opening", Title: "What it began with"}
	l := document.List{Kind: document.PairList}
	l.Add("dice:", "4096 links")
	l.Add("", document.Span{Text: "c111", Mark: document.Code})
	l.Add("draws/Japan:", "4096 links")
	l.Add("", document.Span{Text: "dd24", Mark: document.Code})
	s.List(l)
	p := Parts(document.Document{Sections: []document.Section{s}})[0]
	if len(p.Blocks) != 1 || len(p.Blocks[0].List.Items) != 2 || p.Fold != "hashes" || len(p.Folded) != 1 {
		t.Fatalf("shown are %v, and %q are %v", p.Blocks, p.Fold, p.Folded)
	}
	if x := p.Folded[0].List.Items[1]; x.Lead.String() != "draws/Japan:" || x.Text.String() != "dd24" {
		t.Errorf("the second hash is %v of %v", x.Text, x.Lead)
	}
	if len(s.Blocks[0].List.Items) != 4 {
		t.Error("the document itself lost its hashes")
	}
}
