package rules

import (
	"strings"
	"testing"
)

// TestAlike: names that a table may take for one, and names that are near them and are not.
func TestAlike(t *testing.T) {
	kind := func(word string) string {
		switch strings.TrimSuffix(word, "s") {
		case "bb", "battleship":
			return "battleship"
		case "sub", "submarine":
			return "submarine"
		case "infantry", "fighter":
			return word
		}
		return ""
	}
	for _, names := range []string{"H M S Rodney=Rodney", "HMSRodney=Rodney", "BB Rodney=Rodney",
		"Rodney (BB)=HMS Rodney",
		"BB Rodney=battleship Rodney", "H.M.S. Rodney=rodney", "3 Army=3rd Army", "III Army=Third Army", "LST=LSTs",
		"V Corps=5th corps", "No. 1 Squadron=1st Squadron", "sub Cod=Cod",
		"sub U-96=U 96", "USSCod=USS Cod", "the Nelson=Nelsons",
		"3rd Infantry Division=III infantry division"} {
		a, b, _ := strings.Cut(names, "=")
		if !Alike(a, b, kind) || !Alike(b, a, kind) {
			t.Errorf("%q and %q are not alike", a, b)
		}
	}
	for _, names := range []string{"Rodney=Nelson", "3 Army=4 Army", "III Army=II Army", "LST 1=LST 2", "BB 1=DD 1",
		"BB 1=1",
		"1st Infantry=1st Army", "UK fighter=US fighter",
		"U-96=U-9", "U-1=U-2", "L=M", "The=Hood",
		"Infantry A=Infantry B",
		"sub Hood=BB Hood", "HMS=Rodney", "1=2", "*=**"} {
		a, b, _ := strings.Cut(names, "=")
		if Alike(a, b, kind) || Alike(b, a, kind) {
			t.Errorf("%q and %q are alike", a, b)
		}
	}
}
