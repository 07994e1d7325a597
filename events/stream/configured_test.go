package stream

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"github.com/watu-ledger/watu/events"
)

// configured starts a server with the configuration that docs/running.md shows.
func configured(t *testing.T, l *memoryLog) *server.Server {
	t.Helper()
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "running.md"))
	check(t, err)
	config := regexp.MustCompile(`(?m)^    # nats-server\.conf\n(    .*\n)+`).FindString(string(page))
	if config == "" {
		t.Fatal("the page has no configuration")
	}
	return elsewhere(t, strings.ReplaceAll(config, "LEDGER", l.id.String()), true)
}

// heard notes what a server forbids a connection.
func heard(to chan<- error) nats.Option {
	return nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { to <- err })
}

// TestConfiguration takes the lease, publishes and follows with what the page grants, and no more.
func TestConfiguration(t *testing.T) {
	t.Parallel()
	l := newLog("ledger")
	s := configured(t, l)
	denied := make(chan error, 100)
	host := dialled(t, urlOf(s, "host:host-password"), heard(denied))
	for range 2 {
		a := newSide(t, host, l, LeaseOptions{Term: 5 * time.Second})
		check(t, a.step(t, "atlantic"))
		a.box.Close()
		a.lease.Release()
	}
	_, err := Rebuild(soon(t), host, l, Options{})
	check(t, err)
	wantSame(t, host, l)
	a := newSide(t, host, l, LeaseOptions{})
	l.write(500, "atlantic").sync()
	drain(t, a.box)

	anna := dialled(t, urlOf(s, "anna:anna-password"), nats.CustomInboxPrefix("_INBOX_anna"))
	var got []events.Record
	enough := errors.New("enough")
	err = Follow(soon(t), anna, Following{Ledger: l.id}, func(r events.Record) error {
		switch got = append(got, r); len(got) {
		case 502:
			return a.step(t, "pacific") // while she follows
		case 503:
			return enough
		}
		return nil
	})
	if !errors.Is(err, enough) {
		t.Error(err)
	}
	wantRecords(t, got, l.records)
	if len(denied) > 0 {
		t.Error(<-denied)
	}
}

// TestConfigurationOfDifference lets record and stream differ, and mends that, with what the page grants.
func TestConfigurationOfDifference(t *testing.T) {
	t.Parallel()
	s := configured(t, newLog("ledger"))
	denied := make(chan error, 1000)
	host := dialled(t, urlOf(s, "host:host-password"), heard(denied))
	b := newSide(t, host, newLog("ledger").write(300, "atlantic").sync(), LeaseOptions{})
	drain(t, b.box)
	b.box.Close()
	b.lease.Release()
	shorter := newLog("ledger").write(200, "atlantic").sync()
	other := newLog("ledger").write(299, "atlantic").write(1, "pacific").sync()
	for _, l := range []*memoryLog{shorter, other} {
		lease := taken(t, host, l, LeaseOptions{})
		var diverged *DivergedError
		_, _, err := Open(soon(t), host, l, Options{Lease: lease})
		if !errors.As(err, &diverged) || diverged.Report.At != min(300, l.Durable()+1) {
			t.Errorf("a record of %d events: %v", l.Durable(), err)
		}
		lease.Release()
	}
	lease := taken(t, host, other, LeaseOptions{})
	_, err := Rebuild(soon(t), host, other, Options{Lease: lease})
	check(t, err)
	wantSame(t, host, other)
	if len(denied) > 0 {
		t.Error(<-denied)
	}
}

// TestForbiddenIsSaidOnce lets a server forbid what is asked for each of many messages.
func TestForbiddenIsSaidOnce(t *testing.T) {
	t.Parallel()
	s := elsewhere(t, `accounts { CLUB { jetstream: enabled, users: [
		{user: host, password: p}
		{user: guest, password: p, permissions: {publish: {deny: "$JS.API.STREAM.MSG.GET.>"}}}
	] } }`, true)
	l := newLog("ledger").write(300, "atlantic").sync()
	box, _ := open(t, dialled(t, urlOf(s, "host:p")), l, Options{})
	drain(t, box)
	box.Close()
	stated := make(chan string, 1000)
	guest, err := Dial(soon(t), urlOf(s, "guest:p"), func(f string, args ...any) { stated <- fmt.Sprintf(f, args...) })
	check(t, err)
	closed := make(chan struct{})
	guest.SetClosedHandler(func(*nats.Conn) { close(closed) }) // comes after all errors
	_, _, err = Open(soon(t), guest, newLog("ledger").write(200, "atlantic").sync(), Options{})
	if !errors.Is(err, ErrDenied) {
		t.Error(err)
	}
	check(t, guest.FlushWithContext(soon(t)))
	guest.Close()
	<-closed
	if n := len(stated); n != 1 {
		t.Errorf("it is said %d times", n)
	}
}

// TestConfigurationForbids has a follower try to publish, to take the lease, to read it, to delete the
// stream, and to listen where the answers to others come.
func TestConfigurationForbids(t *testing.T) {
	t.Parallel()
	l := newLog("ledger")
	s := configured(t, l)
	host := dialled(t, urlOf(s, "host:host-password"))
	a := newSide(t, host, l, LeaseOptions{})
	check(t, a.step(t, "atlantic"))
	denied := make(chan error, 100)
	anna := dialled(t, urlOf(s, "anna:anna-password"), nats.CustomInboxPrefix("_INBOX_anna"), heard(denied))
	_, _, err := Open(soon(t), anna, l, Options{})
	if !errors.Is(err, ErrDenied) {
		t.Errorf("she publishes: %v", err)
	}
	wantNoLease(t, anna, l, LeaseOptions{Begin: true}, ErrDenied)
	name, bucket := StreamName(l.id), leaseBucket(l.id)
	for _, subject := range []string{
		LogSubject(l.id, l.id, "turn_advanced"), "$KV." + bucket + "." + leaseKey, "$JS.API.STREAM.DELETE." + name,
		"$JS.API.DIRECT.GET.KV_" + bucket, "$JS.API.DIRECT.GET.KV_" + bucket + ".$KV." + bucket + "." + leaseKey,
		"$JS.API.STREAM.MSG.GET.KV_" + bucket,
	} {
		check(t, anna.Publish(subject, []byte("{}")))
		check(t, anna.FlushWithContext(soon(t)))
		wantDenied(t, denied, subject)
	}
	// Where an answer is to go nobody checks, but it stays in her account.
	inbox, err := host.SubscribeSync("_INBOX.somebody")
	check(t, err)
	check(t, host.FlushWithContext(soon(t)))
	check(t, anna.PublishRequest("$JS.API.DIRECT.GET."+name, inbox.Subject, []byte(`{"seq":1}`)))
	if last, err := newReader(anna, name).last(soon(t), everySubject(l.id)); err != nil || last != 1 {
		t.Errorf("she reads up to %d: %v", last, err)
	}
	check(t, host.FlushWithContext(soon(t)))
	if n, _, err := inbox.Pending(); n != 0 || err != nil {
		t.Errorf("%d messages came to another: %v", n, err)
	}
	for _, subject := range []string{"_INBOX.>", "_INBOX_bert.>", "$KV.>", ">"} {
		_, err := anna.SubscribeSync(subject)
		check(t, err)
		check(t, anna.FlushWithContext(soon(t)))
		wantDenied(t, denied, subject)
	}
	if err := a.step(t, "atlantic"); err != nil {
		t.Error(err)
	}
	wantSame(t, host, l)
}

// wantDenied waits until the server has said that a subject is forbidden.
func wantDenied(t *testing.T, denied <-chan error, subject string) {
	t.Helper()
	for {
		select {
		case err := <-denied:
			if slices.Contains(strings.Split(err.Error(), `"`), subject) {
				return
			}
		case <-soon(t).Done():
			t.Fatalf("%s is not forbidden", subject)
		}
	}
}
