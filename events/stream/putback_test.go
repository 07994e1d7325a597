package stream

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/watu-ledger/watu/events"
)

// A host comes back with an older copy of its directory: what it lost is noticed at once, not
// when it passes that point again.
func TestHostThatWasPutBack(t *testing.T) {
	t.Parallel()
	dir, older, address := t.TempDir(), t.TempDir()+"/older", freeAddress(t)
	l := newLog("ledger").write(40, "atlantic").sync()
	session := func(store string, l *memoryLog, during func(*Outbox)) {
		s, err := StartServer(ServerOptions{StoreDir: store, Listen: address})
		check(t, err)
		defer s.Shutdown()
		nc, err := s.Connect()
		check(t, err)
		defer nc.Close()
		box, _, err := Open(soon(t), nc, l, Options{})
		check(t, err)
		defer box.Close()
		drain(t, box)
		check(t, s.Admit())
		during(box)
	}
	session(dir, l, func(*Outbox) {})
	check(t, os.CopyFS(older, os.DirFS(dir)))
	put := &memoryLog{id: l.id, records: l.records[:40:40], durable: 40, grown: make(chan struct{})}

	ended, troubles := make(chan error, 1), make(chan string, 1000)
	session(dir, l, func(box *Outbox) {
		out := patient(t, "nats://"+address)
		reached := make(chan struct{})
		go func() {
			ended <- Follow(soon(t), out,
				Following{Ledger: l.id, From: 1, Trouble: func(err error) { troubles <- fmt.Sprint(err) }},
				func(r events.Record) error {
					if r.Sequence == 60 {
						close(reached)
					}
					return nil
				})
		}()
		l.write(20, "atlantic").sync()
		<-reached
	})
	session(older, put, func(*Outbox) {
		if err := <-ended; !errors.Is(err, ErrGap) || !strings.Contains(err.Error(),
			"ends at sequence 40 and held 60") {
			t.Error(err)
		}
		out := patient(t, "nats://"+address)
		err := Tail(soon(t), out, Following{Ledger: l.id, From: 60, Holds: true},
			func(events.Record) error { return nil })
		if !errors.Is(err, ErrGap) {
			t.Errorf("read once: %v", err)
		}
	})
	close(troubles)
	sentence := ""
	for text := range troubles {
		sentence += text + "\n"
	}
	if !strings.Contains(sentence, "ends at sequence 40 and held 60") {
		t.Errorf("said %q", sentence)
	}
}

// A server elsewhere loses the end of its stream, and the ledger publishes it again.
func TestServerThatLostItsEnd(t *testing.T) {
	t.Parallel()
	o, s, nc := restartable(t)
	l := newLog("ledger").write(40, "atlantic").sync()
	box, _ := open(t, nc, l, Options{})
	drain(t, box)
	stop(s)
	older := t.TempDir() + "/older"
	check(t, os.CopyFS(older, os.DirFS(o.StoreDir)))
	s = run(t, o.Clone())
	all, _ := followers(t, l, s.ClientURL(), "atlantic", 80)
	l.write(20, "atlantic").sync()
	drain(t, box)
	untilBegun(t, all)
	box.Close()
	stop(s)
	o.StoreDir = older
	run(t, o.Clone())
	time.Sleep(2 * backHere) // shorter for longer than a guest would wait
	box, _ = open(t, nc, l, Options{})
	l.write(20, "atlantic").sync()
	drain(t, box)
	all.wantAll(t, l, "")
}

// Somebody who sees the inboxes answers first, three times.
func TestForgedAnswersAreAskedForAgain(t *testing.T) {
	t.Parallel()
	w, over, sound := wired(t)
	l := newLog("ledger").write(60, "atlantic").sync()
	box, _ := open(t, sound, l, Options{})
	drain(t, box)
	left, forged := 3, map[string]bool{}
	w.dropping(func(head string) bool {
		inbox := strings.Fields(head)[1]
		if strings.Contains(head, "Forged") || left == 0 && !forged[inbox] {
			return false
		}
		if !forged[inbox] {
			left, forged[inbox] = left-1, true
			check(t, sound.PublishMsg(&nats.Msg{Subject: inbox, Data: l.records[6].Bytes, Header: nats.Header{
				nats.JSStream: []string{StreamName(l.id)}, nats.JSSequence: []string{"9"}, "Forged": []string{"yes"},
			}}))
			check(t, sound.PublishMsg(&nats.Msg{Subject: inbox,
				Header: nats.Header{"Status": []string{"204"}, "Forged": []string{"yes"}}}))
		}
		return true
	})
	var got []events.Record
	err := Follow(soon(t), over, Following{Ledger: l.id, From: 1}, func(r events.Record) error {
		if got = append(got, r); len(got) == len(l.records) {
			return errEnough
		}
		return nil
	})
	if !errors.Is(err, errEnough) || left != 0 {
		t.Fatalf("%v, %d not forged", err, left)
	}
	wantRecords(t, got, l.records)
}

// On a server elsewhere each follower has an inbox prefix of his own, which nobody else hears.
func TestPrivateInboxesElsewhere(t *testing.T) {
	t.Parallel()
	s := elsewhere(t, `authorization { users: [
		{user: host, password: p}
		{user: anna, password: p, permissions: {
			publish: "$JS.API.DIRECT.GET.*", subscribe: ["watu.v1.>", "_INBOX_anna.>"]}}
		{user: bert, password: p, permissions: {
			publish: "$JS.API.DIRECT.GET.*", subscribe: ["watu.v1.>", "_INBOX_bert.>"]}}
	]}`, true)
	l := newLog("ledger").write(300, "atlantic").sync()
	box, _ := open(t, dialled(t, urlOf(s, "host:p")), l, Options{})
	drain(t, box)
	denied := make(chan error, 10)
	bert := dialled(t, urlOf(s, "bert:p"), nats.CustomInboxPrefix("_INBOX_bert"),
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { denied <- err }))
	_, err := bert.SubscribeSync("_INBOX_anna.>")
	check(t, err)
	check(t, bert.Flush())
	if err := <-denied; !errors.Is(err, nats.ErrPermissionViolation) {
		t.Error(err)
	}
	var got []events.Record
	anna := dialled(t, urlOf(s, "anna:p"), nats.CustomInboxPrefix("_INBOX_anna"))
	check(t, Tail(soon(t), anna, Following{Ledger: l.id, From: 1},
		func(r events.Record) error { got = append(got, r); return nil }))
	wantRecords(t, got, l.records)
	err = Tail(soon(t), anna, Following{Ledger: named("another"), From: 1}, func(events.Record) error { return nil })
	if !errors.Is(err, ErrUnanswered) {
		t.Errorf("a stream that does not exist: %v", err)
	}
}
