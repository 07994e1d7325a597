package beacon

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"regexp"

	"github.com/cloudflare/circl/sign/bls"
)

// Beacon pins a source of public randomness.
type Beacon struct {
	Name      string `json:"name"`
	Chain     string `json:"chain"`      // the hash by which its servers know it: 64 lower-case hex digits
	PublicKey string `json:"public_key"` // a point of G2, compressed: 192 lower-case hex digits
	Genesis   int64  `json:"genesis"`    // when round 1 is due, in seconds since 1970, UTC
	Period    int64  `json:"period"`     // seconds from one round to the next
	Scheme    string `json:"scheme"`     // [Scheme]
}

// Scheme is the only scheme of signatures that is known here.
const Scheme = "bls-unchained-g1-rfc9380"

// Quicknet is the beacon of the League of Entropy with a round every three seconds.
func Quicknet() Beacon {
	return Beacon{
		Name:  "quicknet",
		Chain: "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971",
		PublicKey: "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d106451" +
			"0d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a",
		Genesis: 1692803367,
		Period:  3,
		Scheme:  Scheme,
	}
}

// Parse reads what a beacon's servers say of it at CHAIN/info: JSON with metadata.beaconID, hash, public_key,
// genesis_time, period and schemeID. It is an [ErrBeacon] if it cannot be one.
func Parse(text []byte) (Beacon, error) {
	var info struct {
		Key      string `json:"public_key"`
		Period   int64  `json:"period"`
		Genesis  int64  `json:"genesis_time"`
		Hash     string `json:"hash"`
		Scheme   string `json:"schemeID"`
		Metadata struct {
			Name string `json:"beaconID"`
		} `json:"metadata"`
	}
	if err := json.Unmarshal(text, &info); err != nil {
		return Beacon{}, fmt.Errorf("%w: it is not the JSON that a server of drand gives at CHAIN/info: %w", ErrBeacon,
			err)
	}
	b := Beacon{info.Metadata.Name, info.Hash, info.Key, info.Genesis, info.Period, info.Scheme}
	return b, b.Check()
}

// MostLapses is how often another round may be named for one roll whose declaration was not cosigned in time. A host
// who could name rounds without end would try them until one suits.
const MostLapses = 3

// Abandoned is how many seconds after its round a roll that was not cosigned may be ruled void: its witnesses may be
// gone for ever.
const Abandoned = 7 * 24 * 3600

// ErrBeacon is wrapped for a beacon that cannot be one.
var ErrBeacon = errors.New("this is no beacon")

var (
	names  = regexp.MustCompile(`^[A-Za-z0-9._-]{1,64}$`)
	hashes = regexp.MustCompile(`^[0-9a-f]{64}$`)
)

const (
	longest = 86_400          // a day
	latest  = 253_402_300_799 // the last second of the year 9999
)

// Check says what is wrong with a beacon that somebody named, and with which field. It is an [ErrBeacon] then. Whether
// the chain belongs to the key cannot be seen here.
func (b Beacon) Check() error {
	_, err := b.key()
	switch {
	case !names.MatchString(b.Name):
		err = fmt.Errorf("name: %.80q is not 1 to 64 letters, digits, dots, hyphens and underscores", b.Name)
	case !hashes.MatchString(b.Chain):
		err = fmt.Errorf("chain: %.80q is not 64 lower-case hex digits", b.Chain)
	case b.Genesis < 0 || b.Genesis > latest:
		err = fmt.Errorf("genesis: %d are no seconds since 1970 before the year 10000", b.Genesis)
	case b.Period < 1 || b.Period > longest:
		err = fmt.Errorf("period: %d is not 1 to %d seconds", b.Period, longest)
	case err == nil:
		err = b.unlikeQuicknet()
	}
	if err != nil {
		return fmt.Errorf("%w: %w", ErrBeacon, err)
	}
	return nil
}

// unlikeQuicknet says what of a beacon is quicknet's, if something is and the rest is not. Whoever states other times
// for its rounds would know them before they are due.
func (b Beacon) unlikeQuicknet() error {
	q := Quicknet()
	switch {
	case b == q:
		return nil
	case b.PublicKey == q.PublicKey && (b.Genesis != q.Genesis || b.Period != q.Period):
		return fmt.Errorf("public_key: it is that of %s, whose rounds come at other times: genesis %d, period %d",
			q.Name, q.Genesis, q.Period)
	case b.PublicKey == q.PublicKey:
		return fmt.Errorf("public_key: it is that of %s: take that with its name and its chain", q.Name)
	case b.Name == q.Name:
		return fmt.Errorf("name: %s is built in, and is another beacon", b.Name)
	case b.Chain == q.Chain:
		return fmt.Errorf("chain: it is that of %s, which has another public key", q.Name)
	}
	return nil
}

// key reads the public key. A key outside the subgroup is none.
func (b Beacon) key() (*bls.PublicKey[bls.KeyG2SigG1], error) {
	if b.Scheme != Scheme {
		return nil, fmt.Errorf("scheme: %.80q is not %s", b.Scheme, Scheme)
	}
	key := new(bls.PublicKey[bls.KeyG2SigG1])
	raw, err := hex.DecodeString(b.PublicKey)
	if err != nil || len(raw) != 96 || hex.EncodeToString(raw) != b.PublicKey {
		return nil, errors.New("public_key: it is not 192 lower-case hex digits")
	}
	if key.UnmarshalBinary(raw) != nil {
		return nil, errors.New("public_key: it is no point of G2 on BLS12-381 that can be a key")
	}
	return key, nil
}

// RoundAt is the first round that is due at a time or after it, in seconds since 1970.
func (b Beacon) RoundAt(unix int64) uint64 {
	genesis, period := b.schedule()
	if unix <= genesis {
		return 1
	}
	since := uint64(unix - genesis)
	round := 1 + since/period
	if since%period != 0 {
		round++
	}
	return round
}

// Time is when a round is due, in seconds since 1970, at most the greatest number that 64 bits hold. There is no round
// 0: its time is the least number, so that nothing can have been settled before it.
func (b Beacon) Time(round uint64) int64 {
	genesis, period := b.schedule()
	if round < 1 {
		return math.MinInt64
	}
	over, since := bits.Mul64(round-1, period)
	if over != 0 || since > uint64(math.MaxInt64-genesis) {
		return math.MaxInt64
	}
	return genesis + int64(since)
}

// schedule gives genesis and period, or the nearest that [Beacon.Check] lets pass at their lower end.
func (b Beacon) schedule() (genesis int64, period uint64) {
	return max(b.Genesis, 0), uint64(max(b.Period, 1))
}
