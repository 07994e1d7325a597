package tree

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	formats "github.com/transparency-dev/formats/note"
	"github.com/transparency-dev/formats/witness"
	"golang.org/x/mod/sumdb/note"
)

// exampleWitness is the key of a witness whose random bytes are all n.
func exampleWitness(t testing.TB, name string, n byte) *WitnessKey {
	t.Helper()
	k, err := NewWitnessKey(bytes.NewReader(bytes.Repeat([]byte{n}, 32)), name)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// policyOf is a policy of these witnesses and further lines.
func policyOf(t testing.TB, lines string, keys ...*WitnessKey) Policy {
	t.Helper()
	text := ""
	for _, k := range keys {
		text += fmt.Sprintf("witness %s %s http://127.0.0.1:1/\n", k.Verifier().Name(), k)
	}
	p, err := ParsePolicy(text + lines)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func cosign(t testing.TB, c Checkpoint, k *WitnessKey, at int64) string {
	t.Helper()
	line, err := c.Cosign(k, at)
	if err != nil {
		t.Fatal(err)
	}
	return line
}

// A witness's key comes back, tells its secret to nobody, and is no key of a ledger.
func TestWitnessKey(t *testing.T) {
	for n := range 256 {
		k := exampleWitness(t, "example.org/w1", byte(n))
		again, err := ParseWitnessKey(k.Secret())
		if err != nil || again.Secret() != k.Secret() || again.String() != k.String() {
			t.Fatalf("%s comes back as %s, %v", k, again, err)
		}
		v, err := ParseWitness("\t" + k.String() + "\n")
		if err != nil || v.String() != k.String() || v.Fingerprint() != k.Verifier().Fingerprint() {
			t.Fatalf("the verifier comes back as %s, %v", v, err)
		}
	}
	k := exampleWitness(t, "example.org/w1", 7)
	for _, format := range []string{"%v", "%+v", "%#v", "%s"} {
		if text := fmt.Sprintf(format, k); text != k.Verifier().String() {
			t.Errorf("a key prints itself as %s", text)
		}
	}
	if _, err := ParseKey(k.Secret()); !errors.Is(err, ErrKey) {
		t.Errorf("as a ledger's: %v", err)
	}
	ledger := exampleKey(t)
	for _, wrong := range []string{"", "x", k.String(), k.Secret()[:len(k.Secret())-4], ledger.Secret()} {
		if _, err := ParseWitnessKey(wrong); !errors.Is(err, ErrWitness) || wrong != "" &&
			strings.Contains(err.Error(), wrong) {
			t.Errorf("ParseWitnessKey(%q) is %v", wrong, err)
		}
	}
	_, post, err := formats.GenerateMLDSAKey("example.org/w2")
	if err != nil {
		t.Fatal(err)
	}
	for _, wrong := range []string{
		"", "x", k.Secret(), k.String() + "A", strings.Replace(k.String(), "w1", "w2", 1), ledger.String(), post,
		"example.org/w1+" + strings.ToUpper(strings.Split(k.String(), "+")[1]) + k.String()[23:],
	} {
		if _, err := ParseWitness(wrong); !errors.Is(err, ErrWitness) {
			t.Errorf("ParseWitness(%q) is %v", wrong, err)
		}
	}
	for _, name := range []string{"", "two words", "a+b", "watu/01BX5ZZKBKACTAV9WEVGEMMVRZ", "a\x01", "a\u00a0b"} {
		if _, err := NewWitnessKey(bytes.NewReader(make([]byte, 32)), name); err == nil {
			t.Errorf("a key may be named %q", name)
		}
	}
}

// A cosignature is what another implementation takes for one, at that time, and no changed bit of it.
func TestCosign(t *testing.T) {
	k, other := exampleWitness(t, "example.org/w1", 1), exampleWitness(t, "example.org/w2", 2)
	c, by := grown(61).checkpoint(61), exampleKey(t)
	signed, err := c.Sign(by)
	if err != nil {
		t.Fatal(err)
	}
	const at = 1679315147
	text := signed + cosign(t, c, other, at+1) + cosign(t, c, k, at) + cosign(t, c, k, at+2)
	theirs, err := formats.NewVerifierForCosignatureV1(k.String())
	if err != nil {
		t.Fatal(err)
	}
	n, err := note.Open([]byte(text), note.VerifierList(theirs))
	if err != nil || len(n.Sigs) != 1 {
		t.Fatalf("%s: %v", text, err)
	}
	if when, err := formats.CoSigV1Timestamp(n.Sigs[0]); err != nil || when.Unix() != at {
		t.Errorf("it is of %v, %v", when, err)
	}
	p := policyOf(t, "quorum example.org/w1", k)
	got, err := ParseCosigned("> as posted\n\n"+text, by.Verifier(), p)
	if err != nil || got.Checkpoint != c || fmt.Sprint(got.Cosignatures) != "[{example.org/w1 1679315147}]" ||
		!p.Met(got.Cosignatures) || got.Note != signed+cosign(t, c, k, at) {
		t.Errorf("%+v, %v", got, err)
	}
	if bare, err := ParseCosigned(signed, by.Verifier(), p); err != nil || p.Met(bare.Cosignatures) {
		t.Errorf("without any: %+v, %v", bare, err)
	}
	if alone := c.Text() + "\n" + cosign(t, c, k, at); !errors.Is(second(ParseCosigned(alone, by.Verifier(), p)),
		ErrSignature) || !errors.Is(second(Parse(alone, by.Verifier())), ErrSignature) {
		t.Error("a cosignature passes for the ledger's signature")
	}
	for _, wrong := range []int64{0, -1} {
		if _, err := c.Cosign(k, wrong); err == nil {
			t.Errorf("it is cosigned at %d", wrong)
		}
	}
	if again, err := Parse(text, by.Verifier()); err != nil || again != c {
		t.Errorf("as a checkpoint: %+v, %v", again, err)
	}
	whole := []byte(got.Note)
	for i := len(signed); i < len(whole)-1; i++ {
		whole[i] ^= 1
		if got, err := ParseCosigned(string(whole), by.Verifier(), p); err == nil && len(got.Cosignatures) > 0 {
			t.Errorf("byte %d may be another: %s", i, whole)
		}
		whole[i] ^= 1
	}
	another := grown(60).checkpoint(60)
	if _, err := ParseCosigned(signed+cosign(t, another, k, at), by.Verifier(), p); !errors.Is(err, ErrNote) {
		t.Errorf("the cosignature of another checkpoint: %v", err)
	}
}

func second[A any](_ A, err error) error { return err }

// A time beyond 2^63-1 is none, whoever signed it.
func TestCosignatureTime(t *testing.T) {
	k := exampleWitness(t, "w", 1)
	c := grown(1).checkpoint(1)
	line := strings.Fields(cosign(t, c, k, 1))
	raw, err := base64.StdEncoding.DecodeString(line[2])
	if err != nil {
		t.Fatal(err)
	}
	if !k.Verifier().Verify([]byte(c.Text()), raw[4:]) {
		t.Error("it does not verify")
	}
	raw[4] |= 0x80
	if k.Verifier().Verify([]byte(c.Text()), raw[4:]) || k.Verifier().Verify([]byte(c.Text()), raw[:30]) {
		t.Error("it verifies at a time before 1970, or cut")
	}
}

func TestPolicy(t *testing.T) {
	var keys []*WitnessKey
	for i := range 6 {
		keys = append(keys, exampleWitness(t, fmt.Sprintf("w%d", i), byte(i)))
	}
	p := policyOf(t, "# two of the first three, and one of the others\n\tgroup X 2 w0 w1 w2\n"+
		"group Y any w3 w4 w5\ngroup Z all X Y \nlog x+1+y\nquorum Z\n", keys...)
	theirs, err := witness.ParsePolicy([]byte(p.String()))
	if err != nil {
		t.Fatal(err)
	}
	c, by := grown(5).checkpoint(5), exampleKey(t)
	signed, err := c.Sign(by)
	if err != nil {
		t.Fatal(err)
	}
	for some := range 1 << len(keys) {
		text := signed
		for i, k := range keys {
			if some>>i&1 == 1 {
				text += cosign(t, c, k, 9)
			}
		}
		got, err := ParseCosigned(text, by.Verifier(), p)
		if err != nil || p.Met(got.Cosignatures) != theirs.Satisfied([]byte(text)) {
			t.Errorf("%06b: %v, %v", some, got.Cosignatures, err)
		}
	}
	if w := p.Witnesses(); len(w) != 6 || w[3].Name != "w3" || w[3].Verifier.String() != keys[3].String() ||
		w[3].URL != "http://127.0.0.1:1/" {
		t.Errorf("its witnesses are %+v", w)
	}
	if (Policy{}).Met(nil) || (Policy{}).Met([]Cosignature{{}}) || !policyOf(t, "quorum none").Met(nil) {
		t.Error("the zero policy is met, or that of none is not")
	}
}

// Two quorums without a common witness are found exactly where some half of the witnesses and the other are both one.
func TestOverlaps(t *testing.T) {
	lot := rand.New(rand.NewPCG(1, 2))
	apart := 0
	for range 500 {
		text, free := "", []string{}
		for i := range 1 + lot.IntN(7) {
			text += fmt.Sprintf("witness w%d %s\n", i, exampleWitness(t, "w", byte(i)))
			free = append(free, fmt.Sprintf("w%d", i))
		}
		for i := 0; len(free) > 1; i++ {
			lot.Shuffle(len(free), func(i, j int) { free[i], free[j] = free[j], free[i] })
			n := 1 + lot.IntN(len(free))
			text += fmt.Sprintf("group g%d %d %s\n", i, 1+lot.IntN(n), strings.Join(free[:n], " "))
			free = append(free[n:], fmt.Sprintf("g%d", i))
		}
		p, err := ParsePolicy(text + "quorum " + free[0])
		if err != nil {
			t.Fatal(err)
		}
		want := false
		for some := range 1 << len(p.Witnesses()) {
			var half, other []Cosignature
			for i, w := range p.Witnesses() {
				if some>>i&1 == 1 {
					half = append(half, Cosignature{w.Name, 1})
				} else {
					other = append(other, Cosignature{w.Name, 1})
				}
			}
			want = want || p.Met(half) && p.Met(other)
		}
		if err := p.Overlaps(); (err != nil) != want || want && !errors.Is(err, ErrPolicy) {
			t.Fatalf("%s\n%v", p, err)
		}
		if want {
			apart++
		}
	}
	if apart < 50 || apart > 450 {
		t.Errorf("%d of 500 have quorums that are apart", apart)
	}
	var known []*WitnessKey
	for i := range 4 {
		known = append(known, exampleWitness(t, fmt.Sprintf("w%d", i), byte(i)))
	}
	for text, want := range map[string]string{
		"group g any w0 w1\nquorum g":                    "line 5: group g asks for 1 of 2, so two quorums may have",
		"# \ngroup g any w0 w1\ngroup h all g\nquorum h": "line 6: group g asks for 1 of 2",
		"group g any w0 w1\ngroup h 2 g w2 w3\nquorum h": "line 5: group g asks for 1 of 2",
		"group g 2 w0 w1\ngroup h any g w2\nquorum h":    "line 6: group h asks for 1 of 2",
		"quorum none":                                   "its quorum asks for nobody",
		"group g any w0 w1\nquorum w0":                  "",
		"group g any w0 w1\ngroup h all g w2\nquorum h": "",
		"group g 2 w0 w1 w2\ngroup h any g\nquorum h":   "",
	} {
		err := policyOf(t, text, known...).Overlaps()
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// Each error names the line, and says what is wrong there.
func TestPolicyErrors(t *testing.T) {
	k, other := exampleWitness(t, "w", 1), exampleWitness(t, "other", 1)
	w := "witness w " + k.String()
	for text, want := range map[string]string{
		"":                                    "it has no line quorum NAME",
		w + "\n":                              "it has no line quorum NAME",
		w + "\n\nquorum v":                    `line 3: no witness or group above is named "v"`,
		w + "\nquorum w\nquorum w":            "line 3: there is a quorum already",
		w + "\nquorum w w":                    "line 2: a quorum is written: quorum NAME",
		w + "\n" + w:                          `line 2: the name "w" is taken`,
		w + "\nwitness v " + k.String():       "line 2: it has the key of w",
		w + "\nwitness v " + other.String():   "line 2: it has the key of w",
		"witness none " + k.String():          `line 1: the name "none" is taken`,
		"witness w":                           "line 1: a witness is written: witness NAME KEY [URL]",
		"witness w " + k.String()[:30]:        "line 1: this is no key of a witness",
		"witness w " + exampleKey(t).String(): "line 1: this is no key of a witness",
		w + " ftp://x":                        "line 1: a URL is https://HOST/PATH",
		w + " https://u:p@x/":                 "line 1: a URL is https://HOST/PATH",
		w + "\ngroup g all":                   "line 2: a group is written",
		w + "\ngroup g 0 w":                   "line 2: a group of 1 asks for all, any, or 1 to 1 of them",
		w + "\ngroup g 2 w":                   "line 2: a group of 1 asks for all",
		w + "\ngroup g all w w":               "line 2: w is the member of a group already",
		w + "\ngroup g all w\ngroup h any w":  "line 3: w is the member of a group already",
		w + "\ngroup g all none":              `line 2: no witness or group above is named "none"`,
		w + "\ngroup g all g":                 `line 2: no witness or group above is named "g"`,
		"log":                                 "line 1: a log is written: log KEY [URL]",
		"witnes w":                            "line 1: a line begins with log, witness, group or quorum",
		w + "\r\nquorum w":                    "line 1: a policy is text in UTF-8",
		"quorum none\n#\xff":                  "line 2: a policy is text in UTF-8",
		"quorum none" + strings.Repeat("\n", mostPolicy): "the limit is 65536",
	} {
		if _, err := ParsePolicy(text); !errors.Is(err, ErrPolicy) || !strings.Contains(err.Error(), want) {
			t.Errorf("%.80q: %v, want %s", text, err, want)
		}
	}
	text := ""
	for i := range mostMembers + 1 {
		text += fmt.Sprintf("witness w%d %s\n", i, exampleWitness(t, "w", byte(i)))
	}
	if _, err := ParsePolicy(text); err == nil || !strings.Contains(err.Error(), "line 65: a policy has at most 64") {
		t.Errorf("65 witnesses: %v", err)
	}
}

// What is read comes back, and what another implementation reads is met by the same witnesses.
func FuzzPolicy(f *testing.F) {
	k, other := exampleWitness(f, "w", 1), exampleWitness(f, "v", 2)
	both := fmt.Sprintf("witness w %s http://x/\nwitness v %s https://y\n", k, other)
	for _, text := range []string{
		"quorum none", both + "quorum w", both + "group g any w v\nquorum g",
		both + "group g 2 w v\ngroup h all g\nquorum h",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := ParsePolicy(text)
		if err != nil {
			if !errors.Is(err, ErrPolicy) {
				t.Errorf("%q: %v", text, err)
			}
			return
		}
		var all []Cosignature
		for _, w := range p.Witnesses() {
			all = append(all, Cosignature{w.Name, 1})
		}
		if p.String() != text || !p.Met(all) || p.quorum != noQuorum && p.Met(nil) {
			t.Errorf("%q is read as %+v", text, p)
		}
	})
}

// Any one of some witnesses is enough, whatever they are named, and nobody else.
func TestAnyOf(t *testing.T) {
	for _, names := range [][]string{{"any of"}, {"none", "any of"}, {"", "ben"}} {
		var list []Witness
		for _, name := range names {
			list = append(list, Witness{Name: name})
		}
		p := AnyOf(list...)
		for _, name := range names {
			if !p.MetBefore([]Cosignature{{Witness: name, Time: 1}}, 2) {
				t.Errorf("%q: %q is not enough", names, name)
			}
		}
		if p.Met(nil) || p.Met([]Cosignature{{Witness: "carl", Time: 1}}) {
			t.Errorf("%q: met by others", names)
		}
		if err := p.Overlaps(); errors.Is(err, ErrPolicy) != (len(names) > 1) {
			t.Errorf("%q: %v", names, err)
		}
	}
	if AnyOf().Met([]Cosignature{{Witness: "carl", Time: 1}, {Time: 1}}) {
		t.Error("a policy of nobody is met")
	}
}

// FuzzKeys: a text that reads as a key or a verifier is that of the key, and no error repeats a secret.
func FuzzKeys(f *testing.F) {
	k, err := NewKey(bytes.NewReader(make([]byte, 32)), exampleLedger)
	if err != nil {
		f.Fatal(err)
	}
	w := exampleWitness(f, "w", 1)
	for _, text := range []string{k.Secret(), w.Secret(), k.String(), w.String()} {
		f.Add(text)
		f.Add(text[:len(text)-1] + "=")
	}
	f.Fuzz(func(t *testing.T, text string) {
		own, err := ParseKey(text)
		cosigner, noCosigner := ParseWitnessKey(text)
		for _, err := range []error{err, noCosigner} {
			if secret := strings.LastIndex(text, "+"); err != nil && secret > 0 && len(text)-secret > 12 &&
				strings.Contains(err.Error(), text[secret+1:]) {
				t.Errorf("%v repeats a secret", err)
			}
		}
		if err == nil && (own.Secret() != text || own.Verifier().String() != own.String()) ||
			noCosigner == nil && cosigner.Secret() != text {
			t.Errorf("%q is read as another key", text)
		}
		if v, err := ParseVerifier(text); err == nil && v.String() != strings.TrimSpace(text) {
			t.Errorf("%q is read as the verifier %s", text, v)
		}
		if v, err := ParseWitness(text); err == nil && v.String() != strings.TrimSpace(text) {
			t.Errorf("%q is read as the witness %s", text, v)
		}
	})
}
