package maintenance

import (
	"testing"
)

func TestBare(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		"nats://host:4222":                             "nats://host:4222",
		"nats://user:p@ss@host:4222":                   "nats://host:4222",
		"tls://token@host":                             "tls://host",
		"nats://a:b@one:4222, user:secret@two:4222":    "nats://one:4222,two:4222",
		"atlantic":                                     "atlantic",
		"wss://u:p@host:443,wss://other.example.com/x": "wss://host:443,wss://other.example.com/x",
	} {
		if got := bare(given); got != want {
			t.Errorf("%q is shown as %q, not %q", given, got, want)
		}
	}
}
