package rounds

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/watu-ledger/watu/events/beacon"
)

// Two rounds of quicknet (see package beacon).
var signed = map[uint64]string{
	123:  "b75c69d0b72a5d906e854e808ba7e2accb1542ac355ae486d591aa9d43765482e26cd02df835d3546d23c4b13e0dfc92",
	1000: "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39",
}

// serve starts a relay that answers for quicknet's chain.
func serve(t *testing.T, answer func(w http.ResponseWriter, round uint64)) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		number, ok := strings.CutPrefix(r.URL.Path, "/"+beacon.Quicknet().Chain+"/public/")
		round, err := strconv.ParseUint(number, 10, 64)
		if r.Method != http.MethodGet || !ok || err != nil {
			t.Errorf("the relay was asked %s %s", r.Method, r.URL)
		}
		answer(w, round)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// relay answers as drand's do.
func relay(w http.ResponseWriter, round uint64) {
	signature, ok := signed[round]
	if !ok {
		http.Error(w, "Requested future beacon", http.StatusTooEarly)
		return
	}
	fmt.Fprintf(w, `{"round":%d,"randomness":"00","signature":"%s"}`, round, signature)
}

func TestRelay(t *testing.T) {
	base := serve(t, relay)
	for _, target := range []string{base, base + "/"} {
		s, err := Open(target)
		if err != nil {
			t.Fatal(err)
		}
		signature, err := s.Round(t.Context(), beacon.Quicknet(), 1000)
		if err != nil || hex.EncodeToString(signature) != signed[1000] {
			t.Errorf("%x, %v", signature, err)
		}
		if _, err := s.Round(t.Context(), beacon.Quicknet(), 1001); !errors.Is(err, ErrNotYet) ||
			err.Error() != "round 1001 of quicknet is not there yet: "+base+" answers 425 Too Early" {
			t.Error(err)
		}
		if _, err := s.Round(t.Context(), beacon.Quicknet(), 0); !errors.Is(err, beacon.ErrRound) {
			t.Error(err)
		}
		if _, err := s.Round(t.Context(), beacon.Beacon{Chain: "../.."}, 1); !errors.Is(err, beacon.ErrBeacon) {
			t.Error(err)
		}
	}
}

// A relay that lies, breaks off or sends us elsewhere gives no round.
func TestRelayRefused(t *testing.T) {
	right := func(round uint64, signature string) string {
		return fmt.Sprintf(`{"round":%d,"signature":"%s"}`, round, signature)
	}
	for _, c := range []struct {
		status int
		body   string
		want   error
		says   string
	}{
		{404, "", ErrNotYet, "answers 404 Not Found"},
		{425, "", ErrNotYet, "answers 425 Too Early"},
		{500, right(1000, signed[1000]), ErrHost, "answers 500 Internal Server Error"},
		{302, "", ErrHost, "answers 302 Found"},
		{200, "", ErrHost, "unexpected end of JSON input"},
		{200, "<html>", ErrHost, "invalid character"},
		{200, right(1000, signed[1000]) + "x", ErrHost, "invalid character"},
		{200, `{"signature":"` + signed[1000] + `"}`, ErrHost, "answers with round 0"},
		{200, right(123, signed[123]), ErrHost, "answers with round 123"},
		{200, right(1000, "xx"), ErrHost, "invalid byte"},
		{200, right(1000, ""), beacon.ErrRound, "its signature has 0 bytes, not 48"},
		{200, right(1000, signed[123]), beacon.ErrRound, "its signature is not the beacon's for that round"},
		{200, right(1000, signed[1000]) + strings.Repeat(" ", longest), ErrHost, "more than 65536 bytes"},
	} {
		base := serve(t, func(w http.ResponseWriter, _ uint64) {
			w.Header().Set("Location", "https://example.com/")
			w.WriteHeader(c.status)
			fmt.Fprint(w, c.body)
		})
		s, err := Open(base)
		if err != nil {
			t.Fatal(err)
		}
		signature, err := s.Round(t.Context(), beacon.Quicknet(), 1000)
		if signature != nil || !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.says) ||
			!strings.Contains(err.Error(), base) || !strings.HasPrefix(err.Error(), "round 1000 of quicknet") {
			t.Errorf("%x, %v; want %v", signature, err, c.says)
		}
	}
}

// Each relay is asked until one gives the round.
func TestRelaysInTurn(t *testing.T) {
	good := serve(t, relay)
	liar := serve(t, func(w http.ResponseWriter, round uint64) {
		fmt.Fprintf(w, `{"round":%d,"signature":"%s"}`, round, signed[123])
	})
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	s := &Source{hosts: []string{gone.URL, liar, good}}
	if _, err := s.Round(t.Context(), beacon.Quicknet(), 1000); err != nil {
		t.Error(err)
	}
	if _, err := s.Round(t.Context(), beacon.Quicknet(), 1001); !errors.Is(err, ErrNotYet) || !errors.Is(err, ErrHost) {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Round(ctx, beacon.Quicknet(), 1000); !errors.Is(err, context.Canceled) || errors.Is(err, ErrNotYet) {
		t.Error(err)
	}
}

func TestOpen(t *testing.T) {
	for target, want := range map[string]string{
		"https://relay.example":         "https://relay.example",
		"https://relay.example:8443/a/": "https://relay.example:8443/a",
		"http://localhost:1234":         "http://localhost:1234",
		"http://127.0.0.2":              "http://127.0.0.2",
		"http://[::1]:80/":              "http://[::1]:80",
	} {
		if s, err := Open(target); err != nil || len(s.hosts) != 1 || s.hosts[0] != want {
			t.Errorf("%s: %+v, %v", target, s, err)
		}
	}
	if s, err := Open(""); err != nil || len(s.hosts) != 2 || s.hosts[0] != "https://api.drand.sh" {
		t.Errorf("%+v, %v", s, err)
	}
	for _, target := range []string{"http://relay.example", "http://10.0.0.1", "http://localhost.example",
		"ftp://localhost", "https://", "https://user:secret@relay.example", "https://relay.example/?a=b",
		"https://relay.example/#a", "https://%zz", "://", filepath.Join(t.TempDir(), "none")} {
		s, err := Open(target)
		if s != nil || !errors.Is(err, ErrSource) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %+v, %v", target, s, err)
		}
	}
}

func TestFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "rounds.txt")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("# quicknet\n\n 123\t" + signed[123] + " # the first\r\n7 " + signed[123])
	s, err := Open(file)
	if err != nil {
		t.Fatal(err)
	}
	if signature, err := s.Round(t.Context(), beacon.Quicknet(), 123); err != nil ||
		hex.EncodeToString(signature) != signed[123] {
		t.Errorf("%x, %v", signature, err)
	}
	if _, err := s.Round(t.Context(), beacon.Quicknet(), 7); !errors.Is(err, beacon.ErrRound) {
		t.Error(err)
	}
	if _, err := s.Round(t.Context(), beacon.Quicknet(), 1000); !errors.Is(err, ErrNotYet) {
		t.Error(err)
	}
	write("1000 " + strings.ToUpper(signed[1000]))
	if _, err := s.Round(t.Context(), beacon.Quicknet(), 1000); err != nil {
		t.Error(err)
	}
	for text, want := range map[string]string{
		"1":                                     ":1: a line has the number",
		"\n1 00 00":                             ":2: a line has the number",
		"#\n\n0 00":                             `:3: "0" is not the number of a round`,
		"-1 00":                                 `:1: "-1" is not the number`,
		"18446744073709551616 00":               ":1: ",
		"1 0":                                   ":1: the signature of round 1 is not in hex",
		"1 00\n1 00":                            ":2: round 1 stands twice",
		"1 00\n2 " + strings.Repeat("0", 70000): ":2: bufio.Scanner: token too long",
	} {
		write(text)
		if _, err := Open(file); !errors.Is(err, ErrSource) || !strings.Contains(err.Error(), file+want) {
			t.Errorf("%.40q: %v, want %s", text, err, want)
		}
		if _, err := s.Round(t.Context(), beacon.Quicknet(), 1); !errors.Is(err, ErrSource) {
			t.Errorf("%.40q: %v", text, err)
		}
	}
}

// A directory has a file for each beacon.
func TestDirectory(t *testing.T) {
	dir := t.TempDir()
	s, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Round(t.Context(), beacon.Quicknet(), 123); !errors.Is(err, ErrNotYet) {
		t.Error(err)
	}
	if err := os.WriteFile(filepath.Join(dir, beacon.Quicknet().Chain), []byte("123 "+signed[123]), 0o600); err != nil {
		t.Fatal(err)
	}
	if signature, err := s.Round(t.Context(), beacon.Quicknet(), 123); err != nil ||
		hex.EncodeToString(signature) != signed[123] {
		t.Errorf("%x, %v", signature, err)
	}
	if _, err := s.Round(t.Context(), beacon.Quicknet(), 124); !errors.Is(err, ErrNotYet) {
		t.Error(err)
	}
}

// What is read of a file, written out again, is read as the same; and each error names a line.
func FuzzRounds(f *testing.F) {
	f.Add([]byte("# quicknet\n123 " + signed[123] + "\n1000 " + signed[1000] + " # a comment"))
	f.Add([]byte("1 \n\r\n# \x00\n2 zz"))
	f.Fuzz(func(t *testing.T, text []byte) {
		found, err := parse(bytes.NewReader(text))
		if err != nil {
			number, _, _ := strings.Cut(err.Error(), ":")
			if n, err := strconv.Atoi(number); err != nil || n < 1 || n > bytes.Count(text, []byte("\n"))+1 {
				t.Errorf("%q: %v", text, err)
			}
			return
		}
		var again strings.Builder
		for round, signature := range found {
			fmt.Fprintf(&again, "%d %x\n", round, signature)
		}
		read, err := parse(strings.NewReader(again.String()))
		if err != nil || len(read) != len(found) {
			t.Fatalf("%q is written as %q: %v", text, again.String(), err)
		}
		for round, signature := range found {
			if !bytes.Equal(read[round], signature) {
				t.Errorf("round %d was %x, and is %x", round, signature, read[round])
			}
		}
	})
}

// The relay that WATU_DRAND_URL names, such as https://api.drand.sh, gives rounds of quicknet that package beacon
// accepts, the newest among them, and withholds one that is to come.
func TestDrand(t *testing.T) {
	target := os.Getenv("WATU_DRAND_URL")
	if target == "" {
		t.Skip("NOT TESTED: the servers of drand. Set WATU_DRAND_URL to one of them, such as https://api.drand.sh")
	}
	s, err := Open(target)
	if err != nil {
		t.Fatal(err)
	}
	quicknet := beacon.Quicknet()
	newest := quicknet.RoundAt(time.Now().Unix()) - 2
	for _, round := range []uint64{1, 123, 1000, newest} {
		signature, err := s.Round(t.Context(), quicknet, round)
		if err != nil {
			t.Errorf("round %d: %v", round, err)
		}
		if was := signed[round]; was != "" && hex.EncodeToString(signature) != was {
			t.Errorf("round %d is %x, and was %s", round, signature, was)
		}
	}
	if signature, err := s.Round(t.Context(), quicknet, newest+1000); err == nil {
		t.Errorf("a round to come is %x", signature)
	}
}
