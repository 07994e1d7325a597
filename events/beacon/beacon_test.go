package beacon_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/cloudflare/circl/ecc/bls12381"
	"github.com/cloudflare/circl/ecc/bls12381/ff"
	"github.com/cloudflare/circl/sign/bls"
	"pgregory.net/rapid"

	"github.com/watu-ledger/watu/events/beacon"
)

// own is a beacon whose key the tests hold, from the bytes 00 01 02 … 1f.
func own(t testing.TB) (beacon.Beacon, func(round uint64) []byte) {
	t.Helper()
	seed := make([]byte, 32)
	for i := range seed {
		seed[i] = byte(i)
	}
	key, err := bls.KeyGen[bls.KeyG2SigG1](seed, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	public, err := key.PublicKey().MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	b := beacon.Beacon{Name: "own", Chain: strings.Repeat("0a", 32), PublicKey: hex.EncodeToString(public),
		Genesis: 1_700_000_000, Period: 5, Scheme: beacon.Scheme}
	return b, func(round uint64) []byte {
		message := sha256.Sum256(binary.BigEndian.AppendUint64(nil, round))
		return bls.Sign(key, message[:])
	}
}

func unhex(t testing.TB, digits string) []byte {
	t.Helper()
	raw, err := hex.DecodeString(digits)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// published are rounds that were signed by beacons of drand, with the randomness that was published for them.
var published = []struct {
	name                  string
	key                   string // quicknet's if empty
	round                 uint64
	signature, randomness string
}{
	{"docs.drand.love, HTTP API", "", 42,
		"95a9f9f5b231b7714de1553105d8ffdf3dcda24cfdb1e689319bccf79a9c8ce430a91b811fbfaf763900bc998b5d686a",
		"8ada64bae5c6c0f5540a6a13af56e663240edfbd2c76ac6a8f27671eb7259ce3"},
	{"noislabs/drand-verify", "", 123,
		"b75c69d0b72a5d906e854e808ba7e2accb1542ac355ae486d591aa9d43765482e26cd02df835d3546d23c4b13e0dfc92",
		"fb8f7bc29bf24db51871ec8c79f3a1e4bd0557bc0dfcee9ed1d924e69d1c60dc"},
	{"api.drand.sh, as many tests have it", "", 1000,
		"b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39",
		"fe290beca10872ef2fb164d2aa4442de4566183ec51c56ff3cd603d930e54fdd"},
	{"python-drand-verify", "", 657413,
		"b713718a38ae728dfd477991af2822e08d2f305e47718cef9f7848ce4050e7be41076862b98fad56e91a6b85b89cd97b",
		"fc1873a13f3545aeade8401532ef5519920652eee6b0d2b19ca12643b87b3587"},
	{"a key of drand/drand#1249", "a1ee12542360bf75742bcade13d6134e7d5283d9eb782887c47d3d9725f05805d37b0106b7f74439" +
		"5bf82c175dd7434a169e998f188a657a030d588892c0cd2c01f996aaf331c4d8bc5b9734bbe261d09e7d2d39ef88b635077f262bd7bb" +
		"b30f", 3,
		"b98dae74f6a9d2ec79d75ba273dcfda86a45d589412860eb4c0fd056b00654dbf667c1b6884987c9aee0d43f8ba9db52",
		"9e9829dfb34bd8db3e21c28e13aefecd86e007ebd19d6bb8a5cee99c0a34798f"},
}

func TestPublishedRounds(t *testing.T) {
	for _, v := range published {
		b := beacon.Quicknet()
		if v.key != "" {
			b.Name, b.PublicKey = "another", v.key
		}
		signature := unhex(t, v.signature)
		if err := b.Verify(v.round, signature); err != nil {
			t.Errorf("%s: %v", v.name, err)
		}
		if got := beacon.Randomness(signature); hex.EncodeToString(got[:]) != v.randomness {
			t.Errorf("%s: the randomness is %x", v.name, got)
		}
		if err := b.Verify(v.round+1, signature); !errors.Is(err, beacon.ErrRound) {
			t.Errorf("%s: for the round after: %v", v.name, err)
		}
	}
}

// drand hashes the constants of a chain, so a wrong digit in one of them shows. The hash of the group that began
// quicknet is published with it.
func TestQuicknet(t *testing.T) {
	b := beacon.Quicknet()
	if err := b.Check(); err != nil {
		t.Fatal(err)
	}
	constants := binary.BigEndian.AppendUint32(nil, uint32(b.Period))
	constants = binary.BigEndian.AppendUint64(constants, uint64(b.Genesis))
	constants = append(constants, unhex(t, b.PublicKey)...)
	constants = append(constants, unhex(t, "f477d5c89f21a17c863a7f937c6a6d15859414d2be09cd448d4279af331c5d3e")...)
	constants = append(constants, b.Name...)
	if got := sha256.Sum256(constants); hex.EncodeToString(got[:]) != b.Chain {
		t.Errorf("the constants hash to %x", got)
	}
	text, err := json.Marshal(b)
	if err != nil {
		t.Fatal(err)
	}
	var read beacon.Beacon
	if err := json.Unmarshal(text, &read); err != nil || read != b {
		t.Errorf("%s is read as %v, %v", text, read, err)
	}
}

// The signatures of a key of our own stay what they were, up to the last round that 64 bits count.
func TestOwnBeacon(t *testing.T) {
	b, sign := own(t)
	if err := b.Check(); err != nil {
		t.Fatal(err)
	}
	for _, v := range []struct {
		round uint64
		want  string
	}{
		{1, "a4f4a43d87034df6d2e8f824866c1e4952a8e98f3aa6bef3fad3d0265f2125a4cc34227886d8e5bd153024ecd7c54674"},
		{1<<64 - 1, "ac520edc2e153944ffcdfb5add24fb5742bc30cdf1dc401d217ccdd8e884e717253e72582ba0ce173725019602666dde"},
	} {
		signature := sign(v.round)
		if hex.EncodeToString(signature) != v.want {
			t.Errorf("round %d is signed %x", v.round, signature)
		}
		if err := b.Verify(v.round, signature); err != nil {
			t.Error(err)
		}
	}
}

func TestVerifyRefuses(t *testing.T) {
	b, sign := own(t)
	signature := sign(7)
	point := new(bls12381.G1)
	if err := point.SetBytes(signature); err != nil {
		t.Fatal(err)
	}
	negative := *point
	negative.Neg()
	nobody := new(bls12381.G1)
	nobody.SetIdentity()
	flipped := bytes.Clone(signature)
	flipped[40] ^= 1
	of := func(change func(*beacon.Beacon)) beacon.Beacon {
		other := b
		change(&other)
		return other
	}
	for _, c := range []struct {
		beacon    beacon.Beacon
		round     uint64
		signature []byte
		want      string
	}{
		{b, 0, sign(0), "round 0 of own does not verify: the first round is 1"},
		{b, 8, signature, "round 8 of own does not verify: its signature is not the beacon's for that round"},
		{b, 7, nil, "its signature has 0 bytes, not 48"},
		{b, 7, signature[:47], "its signature has 47 bytes, not 48"},
		{b, 7, append(bytes.Clone(signature), 0), "its signature has 49 bytes, not 48"},
		{b, 7, point.Bytes(), "its signature has 96 bytes, not 48"},
		{b, 7, negative.BytesCompressed(), "is not the beacon's"},
		{b, 7, nobody.BytesCompressed(), "is not the beacon's"},
		{b, 7, make([]byte, 48), "is not the beacon's"},
		{b, 7, bytes.Repeat([]byte{0xff}, 48), "is not the beacon's"},
		{b, 7, flipped, "is not the beacon's"},
		{beacon.Quicknet(), 7, signature, "round 7 of quicknet does not verify"},
		{of(func(b *beacon.Beacon) { b.PublicKey = "00" }), 7, signature, "this is no beacon: public_key"},
		{of(func(b *beacon.Beacon) { b.Scheme = "pedersen-bls-chained" }), 7, signature, "this is no beacon: scheme"},
	} {
		err := c.beacon.Verify(c.round, c.signature)
		if !errors.Is(err, beacon.ErrRound) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("round %d with %x: %v, want %q", c.round, c.signature, err, c.want)
		}
	}
}

func TestCheck(t *testing.T) {
	identity := "c0" + strings.Repeat("00", 95)
	for _, c := range []struct {
		change func(*beacon.Beacon)
		want   string
	}{
		{func(b *beacon.Beacon) { b.Name = "" }, `name: "" is not`},
		{func(b *beacon.Beacon) { b.Name = "two words" }, `name: "two words" is not`},
		{func(b *beacon.Beacon) { b.Name = strings.Repeat("x", 65) }, "name: "},
		{func(b *beacon.Beacon) { b.Name = "quicknet" }, "name: quicknet is built in"},
		{func(b *beacon.Beacon) { b.PublicKey = beacon.Quicknet().PublicKey },
			"public_key: it is that of quicknet, whose rounds come at other times: genesis 1692803367, period 3"},
		{func(b *beacon.Beacon) { *b = beacon.Quicknet(); b.Genesis++ },
			"public_key: it is that of quicknet, whose rounds"},
		{func(b *beacon.Beacon) { *b = beacon.Quicknet(); b.Name = "fast" },
			"public_key: it is that of quicknet: take"},
		{func(b *beacon.Beacon) { b.Chain = beacon.Quicknet().Chain }, "chain: it is that of quicknet"},
		{func(b *beacon.Beacon) { b.Chain = "" }, "chain: "},
		{func(b *beacon.Beacon) { b.Chain = "../" + b.Chain[3:] }, "chain: "},
		{func(b *beacon.Beacon) { b.Chain = strings.ToUpper(b.Chain) }, "chain: "},
		{func(b *beacon.Beacon) { b.PublicKey = "" }, "public_key: it is not 192"},
		{func(b *beacon.Beacon) { b.PublicKey = strings.ToUpper(b.PublicKey) }, "public_key: it is not 192"},
		{func(b *beacon.Beacon) { b.PublicKey = "zz" + b.PublicKey[2:] }, "public_key: it is not 192"},
		{func(b *beacon.Beacon) { b.PublicKey = strings.Repeat("00", 96) }, "public_key: it is no point"},
		{func(b *beacon.Beacon) { b.PublicKey = identity }, "public_key: it is no point"},
		{func(b *beacon.Beacon) { b.PublicKey = outside() }, "public_key: it is no point"},
		{func(b *beacon.Beacon) { b.Genesis = -1 }, "genesis: -1"},
		{func(b *beacon.Beacon) { b.Genesis *= 1000 }, "genesis: 1700000000000"}, // milliseconds
		{func(b *beacon.Beacon) { b.Period = 0 }, "period: 0"},
		{func(b *beacon.Beacon) { b.Period = 86_401 }, "period: 86401"},
		{func(b *beacon.Beacon) { b.Scheme = "pedersen-bls-chained" }, `scheme: "pedersen-bls-chained"`},
		{func(b *beacon.Beacon) { b.Scheme = "" }, `scheme: ""`},
	} {
		b, _ := own(t)
		c.change(&b)
		err := b.Check()
		if !errors.Is(err, beacon.ErrBeacon) || !strings.HasPrefix(err.Error(), "this is no beacon: "+c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}

// outside is a point on the curve y² = x³ + 4(1+u) that is not in its subgroup G2: that of the first x = 1, 2, …
// that has a y.
func outside() string {
	four, three := new(ff.Fp), []byte{3}
	four.SetUint64(4)
	for n := uint64(1); ; n++ {
		x, y := ff.Fp2{}, ff.Fp2{}
		x[0].SetUint64(n)
		y.ExpVarTime(&x, three)
		y.Add(&y, &ff.Fp2{*four, *four})
		if y.Sqrt(&y) == 1 {
			return fmt.Sprintf("80%0190x", n)
		}
	}
}

// Rounds and times fit each other, and no input overflows.
func TestTimes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := beacon.Beacon{Genesis: rapid.Int64().Draw(t, "genesis"), Period: rapid.Int64().Draw(t, "period")}
		unix, round := rapid.Int64().Draw(t, "unix"), rapid.Uint64().Draw(t, "round")
		at := b.RoundAt(unix)
		if at < 1 || b.Time(at) < unix {
			t.Fatalf("round %d at %d is due at %d", at, unix, b.Time(at))
		}
		if at > 1 && b.Time(at-1) >= unix {
			t.Fatalf("round %d is due at %d, which is before round %d and not before %d", at-1, b.Time(at-1), at, unix)
		}
		due := b.Time(round)
		if round > 0 && due != math.MaxInt64 && b.RoundAt(due) != round {
			t.Fatalf("round %d is due at %d, when round %d is", round, due, b.RoundAt(due))
		}
		if round < math.MaxUint64 && b.Time(round+1) < due {
			t.Fatalf("round %d is due at %d, the next at %d", round, due, b.Time(round+1))
		}
	})
	b := beacon.Quicknet()
	for unix, round := range map[int64]uint64{math.MinInt64: 1, 0: 1, b.Genesis: 1, b.Genesis + 1: 2, b.Genesis + 3: 2,
		b.Genesis + 4: 3, 1692806364: 1000, math.MaxInt64: 3074457345053990815} {
		if got := b.RoundAt(unix); got != round {
			t.Errorf("at %d: round %d, want %d", unix, got, round)
		}
	}
	for round, unix := range map[uint64]int64{0: math.MinInt64, 1: b.Genesis, 2: b.Genesis + 3, 1000: 1692806364,
		math.MaxUint64: math.MaxInt64} {
		if got := b.Time(round); got != unix {
			t.Errorf("round %d is due at %d, want %d", round, got, unix)
		}
	}
}

// Of all bytes only the one signature of the key passes for a round.
func FuzzVerify(f *testing.F) {
	b, sign := own(f)
	f.Add(uint64(7), sign(7))
	f.Add(uint64(0), sign(0))
	f.Add(uint64(8), sign(7))
	f.Add(uint64(1), []byte{})
	f.Add(uint64(1), make([]byte, 48))
	f.Add(uint64(1), append([]byte{0xc0}, make([]byte, 47)...))
	f.Add(uint64(1), bytes.Repeat([]byte{0xff}, 96))
	f.Fuzz(func(t *testing.T, round uint64, signature []byte) {
		err := b.Verify(round, signature)
		if right := round > 0 && bytes.Equal(signature, sign(round)); right != (err == nil) {
			t.Errorf("round %d with %x: %v", round, signature, err)
		}
		if err != nil && !errors.Is(err, beacon.ErrRound) {
			t.Error(err)
		}
	})
}

// Whatever somebody names as a beacon is checked without a panic, and used without one.
func FuzzBeacon(f *testing.F) {
	b, sign := own(f)
	for _, b := range []beacon.Beacon{b, beacon.Quicknet(), {}} {
		text, err := json.Marshal(b)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	signature := sign(7)
	f.Fuzz(func(t *testing.T, text []byte) {
		var named beacon.Beacon
		if json.Unmarshal(text, &named) != nil {
			return
		}
		if err := named.Check(); err != nil && !errors.Is(err, beacon.ErrBeacon) {
			t.Error(err)
		}
		named.Time(named.RoundAt(b.Genesis))
		right := named.PublicKey == b.PublicKey && named.Scheme == b.Scheme
		if err := named.Verify(7, signature); right != (err == nil) {
			t.Error(err)
		}
	})
}

// What a server of drand says of its beacon pins it.
func TestParse(t *testing.T) {
	text := fmt.Sprintf(`{"public_key": %q, "period": 3, "genesis_time": 1692803367, "hash": %q, "groupHash": "f477",
		"schemeID": "bls-unchained-g1-rfc9380", "metadata": {"beaconID": "quicknet"}}`, beacon.Quicknet().PublicKey,
		beacon.Quicknet().Chain)
	if b, err := beacon.Parse([]byte(text)); err != nil || b != beacon.Quicknet() {
		t.Errorf("%+v, %v", b, err)
	}
	for _, wrong := range []string{"", "null", "{}", "[]", strings.Replace(text, "period\": 3", "period\": 4", 1),
		strings.Replace(text, "rfc9380", "rfc9381", 1)} {
		if b, err := beacon.Parse([]byte(wrong)); !errors.Is(err, beacon.ErrBeacon) {
			t.Errorf("%s is read as %+v, %v", wrong, b, err)
		}
	}
}
