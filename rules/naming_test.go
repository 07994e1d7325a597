package rules

import "testing"

// TestBare: names that are one, and names that are not.
func TestBare(t *testing.T) {
	for _, names := range [][]string{
		{"Rodney", "rodney", "HMS Rodney", "H.M.S. Rodney", "the Rodney", "Rod\u200bney", " RODNEY "},
		{"U-96", "U 96", "u96", "U-9\u200b6"}, {"SZ 8 #1", "sz 8 # 1"},
		{"3rd Army", "3d Army", "Third Army", "third  army"}, {"Königsberg", "Konigsberg", "Ko\u0308nigsberg"},
	} {
		for _, name := range names {
			if Bare(name) != Bare(names[0]) {
				t.Errorf("%q is %q, and %q %q", name, Bare(name), names[0], Bare(names[0]))
			}
		}
	}
	known := map[string]string{}
	for _, name := range []string{"1 1st", "11st", "SZ 8 #1", "SZ 81", "U-9 6", "U-96", "Third", "3rd", "?", "!", "the",
		"1st Army", "1st Armour"} {
		if other, taken := known[Bare(name)]; taken {
			t.Errorf("%q and %q are both %q", name, other, Bare(name))
		}
		known[Bare(name)] = name
	}
}

// TestDisguised: words that look like others, and words that only have letters of their own.
func TestDisguised(t *testing.T) {
	for _, name := range []string{"Аkagi", "Akаgi", "Ａｋａｇｉ", "TF ８", "the Норе",
		"IJN Akagi-Ζ", "𝐀kagi", "Akaɡi", "ΤF 8", "Норе"} {
		if disguised(name) == "" {
			t.Errorf("%q looks like another name", name)
		}
	}
	for _, name := range []string{"Akagi", "Марат", "линкор Марат", "赤城", "CV赤城", "Königsberg",
		"Kılıç Ali Paşa", "TF 8", "Αβέρωφ", "Gruppe α", "Task Force “8”", "U‑96", "Shōkaku",
		"HMS Марат", "№ 8", "翔鶴", "Ørn", "Straße"} {
		if word := disguised(name); word != "" {
			t.Errorf("%q of %q has letters of its own alone", word, name)
		}
	}
}
