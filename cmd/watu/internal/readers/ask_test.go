package readers

import (
	"net/url"
	"strings"
	"testing"
)

const pattern = "GET /campaigns/{c}/events/{index}"

func keyOf(t *testing.T, address string, known ...string) (string, error) {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	asked, err := CheckQuery(u, known...)
	if err != nil {
		return "", err
	}
	return Key(pattern, u, asked), nil
}

// However an address is written, what it asks for has one key; what it asks otherwise has another.
func TestKeys(t *testing.T) {
	same := []string{
		"/campaigns/a%20b/events/7?at=57&as=public", "/campaigns/a%20b/events/7?as=public&at=57",
		"/campaigns/%61%20b/events/007?at=%35%37&as=publi%63",
		"/campaigns/a%20b/events/7?%61t=57&as=public&from=",
		"/campaigns/a%20b/events/7?at=57&at=58&as=public&from=&from=9",
	}
	for _, address := range same {
		key, err := keyOf(t, address, "at", "as", "from")
		if want, _ := keyOf(t, same[0], "at", "as"); err != nil || key != want {
			t.Errorf("%s: %q and not %q, %v", address, key, want, err)
		}
	}
	seen := map[string]string{}
	for _, address := range []string{
		same[0], "/campaigns/a%20b/events/7", "/campaigns/a%20b/events/7?at=57", "/campaigns/a%20b/events/8?at=57",
		"/campaigns/a%2Fb/events/7", "/campaigns/a/b/events/7",
		"/campaigns/a/events/7?at=5&from=7", "/campaigns/a/events/7?at=5%26from%3D7", "/campaigns/a%26at=5/events/7",
		"/campaigns/a/events/7?at=5", "/campaigns/A/events/7?at=5",
	} {
		key, err := keyOf(t, address, "at", "as", "from")
		if err != nil || seen[key] != "" {
			t.Errorf("%s: %q is the key of %s, %v", address, key, seen[key], err)
		}
		seen[key] = address
	}
}

// What is not known, is too long or does not read is refused, by its name.
func TestUnknown(t *testing.T) {
	for query, says := range map[string]string{
		"n=1": `"n" is not known here: there are at and as`, "at=1&n": `"n" is not known`, "At=1": `"At" is not known`,
		"at=" + strings.Repeat("9", longest+1): "longer than", "at=%zz": "does not read", "at=1;as=x": "does not read",
		strings.Repeat("n", 9000) + "=1": "is not known here",
	} {
		_, err := keyOf(t, "/?"+query, "at", "as")
		if err == nil || !strings.Contains(err.Error(), says) || len(err.Error()) > 300 {
			t.Errorf("%.50s: %.400v", query, err)
		}
	}
	if _, err := keyOf(t, "/?n=1"); err == nil || !strings.Contains(err.Error(), "there is none") {
		t.Error(err)
	}
	if _, err := keyOf(t, "/?at=&as=", "at", "as"); err != nil {
		t.Error(err)
	}
}
