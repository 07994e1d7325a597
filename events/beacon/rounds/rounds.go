// Package rounds fetches rounds of public randomness, from servers or from a file, and checks them by package beacon.
// It is a package of its own so that a program that only checks rounds links no HTTP client.
//
// A server is a relay of drand. Asked for BASE/CHAIN/public/ROUND, it answers {"round": 1000, "signature": "b446…"},
// or with the status 404 or 425 if the round is still to come. What it answers is checked, so it can withhold a round
// but not forge one.
//
// A file has a round on each line: its number, and its signature in hex. What stands behind a # is a comment:
//
//	# quicknet
//	1000 b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39
//
// It is read again for each round, so it may grow. A directory has such a file for each beacon, named by its chain.
package rounds

import (
	"bufio"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/watu-ledger/watu/events/beacon"
)

// Source gives rounds of beacons.
type Source struct {
	hosts []string // asked in turn; none if there is a file
	file  string   // or directory
}

// Errors that are wrapped by [Open] and [Source.Round].
var (
	ErrSource = errors.New("this is no source of rounds")
	ErrNotYet = errors.New("is not there yet")
	ErrHost   = errors.New("the server does not give the round")
)

// relays are asked where nobody names another source.
var relays = []string{"https://api.drand.sh", "https://drand.cloudflare.com"}

const (
	patience = 5 * time.Second // a relay that is asked for the next round waits until it is there
	longest  = 64 << 10        // bytes of an answer
)

// client follows no redirect: it asks the server that was named.
var client = &http.Client{
	Timeout:       patience,
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

// Open reads what somebody named as a source: a URL, a file, or a directory. Without a name it is the relays of drand.
// It is an [ErrSource] if it cannot be one; for a file the error names the line.
func Open(target string) (*Source, error) {
	switch {
	case target == "":
		return &Source{hosts: relays}, nil
	case strings.Contains(target, "://"):
		base, err := baseOf(target)
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrSource, err)
		}
		return &Source{hosts: []string{base}}, nil
	}
	s := &Source{file: target}
	if info, err := os.Stat(target); err == nil && info.IsDir() {
		return s, nil
	}
	if _, err := read(target); err != nil {
		return nil, err
	}
	return s, nil
}

// baseOf checks a URL. Over plain http anybody on the way could withhold a round.
func baseOf(target string) (string, error) {
	u, err := url.Parse(target)
	if err != nil {
		return "", err
	}
	local := u.Hostname() == "localhost"
	if a, err := netip.ParseAddr(u.Hostname()); err == nil {
		local = a.Unmap().IsLoopback()
	}
	switch {
	case u.Hostname() == "":
		return "", fmt.Errorf("%s names no host", u.Redacted())
	case u.Scheme != "https" && (u.Scheme != "http" || !local):
		return "", fmt.Errorf("%s: it is https://, or http:// on this machine", u.Redacted())
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return "", fmt.Errorf("%s: it has a user, a query or a fragment", u.Redacted())
	}
	return strings.TrimRight(u.String(), "/"), nil
}

// Round gives the signature of a beacon's round, verified. It is an [ErrNotYet] while the round is still to come.
// A relay that does not know the beacon's chain answers like that too.
func (s *Source) Round(ctx context.Context, b beacon.Beacon, round uint64) ([]byte, error) {
	if err := b.Check(); err != nil {
		return nil, err
	}
	if round < 1 {
		return nil, b.Verify(round, nil) // a relay would give its latest
	}
	if s.file != "" {
		return s.find(b, round)
	}
	var errs []error
	for _, host := range s.hosts {
		signature, err := ask(ctx, host, b, round)
		if err == nil {
			return signature, nil
		}
		errs = append(errs, err)
	}
	return nil, errors.Join(errs...)
}

func ask(ctx context.Context, host string, b beacon.Beacon, round uint64) ([]byte, error) {
	failed := func(err error) error { return fmt.Errorf("round %d of %s: %w: %w", round, b.Name, ErrHost, err) }
	address := host + "/" + b.Chain + "/public/" + strconv.FormatUint(round, 10)
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, failed(err)
	}
	answer, err := client.Do(request)
	if err != nil {
		return nil, failed(err)
	}
	defer answer.Body.Close()
	switch answer.StatusCode {
	case http.StatusOK:
	case http.StatusNotFound, http.StatusTooEarly:
		return nil, fmt.Errorf("round %d of %s %w: %s answers %s", round, b.Name, ErrNotYet, host, answer.Status)
	default:
		return nil, failed(fmt.Errorf("%s answers %s", host, answer.Status))
	}
	body, err := io.ReadAll(io.LimitReader(answer.Body, longest+1))
	if err != nil {
		return nil, failed(err)
	}
	if len(body) > longest {
		return nil, failed(fmt.Errorf("%s answers with more than %d bytes", host, longest))
	}
	var got struct {
		Round     uint64 `json:"round"`
		Signature string `json:"signature"`
	}
	if err := json.Unmarshal(body, &got); err != nil {
		return nil, failed(fmt.Errorf("%s: %w", host, err))
	}
	if got.Round != round {
		return nil, failed(fmt.Errorf("%s answers with round %d", host, got.Round))
	}
	signature, err := hex.DecodeString(got.Signature)
	if err == nil {
		err = b.Verify(round, signature)
	}
	if err != nil {
		return nil, failed(fmt.Errorf("%s: %w", host, err))
	}
	return signature, nil
}

func (s *Source) find(b beacon.Beacon, round uint64) ([]byte, error) {
	file := s.file
	if info, err := os.Stat(file); err == nil && info.IsDir() {
		file = filepath.Join(file, b.Chain)
		if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("round %d of %s %w: there is no file %s", round, b.Name, ErrNotYet, file)
		}
	}
	lines, err := read(file)
	if err != nil {
		return nil, err
	}
	signature, ok := lines[round]
	if !ok {
		return nil, fmt.Errorf("round %d of %s %w: %s does not have it", round, b.Name, ErrNotYet, file)
	}
	if err := b.Verify(round, signature); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return signature, nil
}

// read gives the signatures of a file by their rounds.
func read(file string) (map[uint64][]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSource, err)
	}
	defer f.Close()
	lines, err := parse(f)
	if err != nil {
		return nil, fmt.Errorf("%w: %s:%w", ErrSource, file, err)
	}
	return lines, nil
}

// parse reads the lines of a file. Its errors begin with the number of a line.
func parse(r io.Reader) (map[uint64][]byte, error) {
	found := map[uint64][]byte{}
	lines, n := bufio.NewScanner(r), 1
	for ; lines.Scan(); n++ {
		line, _, _ := strings.Cut(lines.Text(), "#")
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		if len(words) != 2 {
			return nil, fmt.Errorf("%d: a line has the number of a round and its signature in hex", n)
		}
		round, err := strconv.ParseUint(words[0], 10, 64)
		if err != nil || round < 1 {
			return nil, fmt.Errorf("%d: %.40q is not the number of a round", n, words[0])
		}
		signature, err := hex.DecodeString(words[1])
		if err != nil {
			return nil, fmt.Errorf("%d: the signature of round %d is not in hex", n, round)
		}
		if _, again := found[round]; again {
			return nil, fmt.Errorf("%d: round %d stands twice", n, round)
		}
		found[round] = signature
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%d: %w", n, err)
	}
	return found, nil
}
