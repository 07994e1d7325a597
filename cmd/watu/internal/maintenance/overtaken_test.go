package maintenance_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"filippo.io/age"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/events/stream"
	"github.com/watu-ledger/watu/replay"
)

// delete deletes a ledger's stream, and leaves its lease.
func (c *club) delete(t *testing.T, f *service.Service) {
	t.Helper()
	nc, err := nats.Connect(c.server.ClientURL())
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	js, err := jetstream.New(nc)
	if err == nil {
		err = js.DeleteStream(t.Context(), stream.StreamName(f.Ledger().ID()))
	}
	if err != nil {
		t.Fatal(err)
	}
	// Its files go in the background: one that is made meanwhile may come back with its messages.
	files := filepath.Join(c.options.StoreDir, "jetstream", "$G", "streams")
	if _, err := os.Stat(files); err != nil {
		t.Fatal(err)
	}
	for maintenance.NotEmpty(filepath.Join(files, stream.StreamName(f.Ledger().ID()))) {
		time.Sleep(time.Millisecond)
	}
}

// overtaken gives two copies of a ledger, of which the first recorded something while it was cut off, and
// the second answered something else in its place. Both are closed.
func overtaken(t *testing.T, n *club) (first, second string, f *service.Service) {
	t.Helper()
	first, second = filepath.Join(t.TempDir(), "first"), filepath.Join(t.TempDir(), "second")
	open := func(dir string) *service.Service {
		f, err := n.at(t, dir)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	f = open(first)
	step(t, f, "opened")
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(second, os.DirFS(first)); err != nil {
		t.Fatal(err)
	}
	f = open(first)
	n.stop()
	_, err := f.OpenCampaign(replay.NewCampaign{Name: "unconfirmed", System: "eots"})
	reports(t, err, problem.Diverged, "not confirmed")
	reports(t, f.Close(), problem.Unreachable, "recorded, but only")
	n.start(t)
	f = open(second)
	step(t, f, "answered")
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return first, second, f
}

// TestOvertakenHost deletes the stream: the record of the host that was overtaken is as long as the other,
// and is refused all the same, until it is made to stand. Then its campaigns go on in a new epoch.
func TestOvertakenHost(t *testing.T) {
	t.Parallel()
	n := newClub(t)
	first, second, f := overtaken(t, n)
	n.delete(t, f)
	_, err := n.at(t, first)
	reports(t, err, problem.Diverged, "the last with hash ")
	p := problem.Of(err)
	if lines := strings.Join(p.Report, "\n"); !strings.Contains(lines, "watu backup -o FILE") ||
		strings.Contains(lines, "--yes") {
		t.Errorf("it proposes\n%s", lines)
	}
	o := maintenance.Options{Holder: "watu repair", NATS: n.server.ClientURL(), Term: 2 * time.Second}
	_, err = maintenance.Repair(t.Context(), first, maintenance.FromRecord, false, o)
	reports(t, err, problem.Input, "say so with --yes")
	if f, err = n.at(t, second); err != nil {
		t.Fatal(err)
	}
	step(t, f, "more")
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	n.delete(t, f)
	if done, err := maintenance.Repair(t.Context(), first, maintenance.FromRecord, true, o); err != nil ||
		!strings.Contains(done.Note,
			"new epoch") {
		t.Fatalf("%+v, %v", done, err)
	}
	if f, err = n.at(t, first); err != nil {
		t.Fatal(err)
	}
	step(t, f, "more")
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	_, err = n.at(t, second)
	reports(t, err, problem.Diverged, "not the home of this ledger")
}

// TestRepairedAlone makes an older record stand, whose dice to come somebody may know: of two copies of it the one that
// was repaired goes on, in a new epoch, and the other stays out.
func TestRepairedAlone(t *testing.T) {
	t.Parallel()
	n := newClub(t)
	dir, older, copied := filepath.Join(t.TempDir(), "ledger"), filepath.Join(t.TempDir(), "older"),
		filepath.Join(t.TempDir(), "copied")
	for i, campaign := range []string{"opened", "more"} {
		f, err := n.at(t, dir)
		if err != nil {
			t.Fatal(err)
		}
		step(t, f, campaign)
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		if i == 1 {
			n.delete(t, f)
			continue
		}
		if err := errors.Join(os.CopyFS(older, os.DirFS(dir)), os.CopyFS(copied, os.DirFS(dir))); err != nil {
			t.Fatal(err)
		}
	}
	o := maintenance.Options{Holder: "watu repair", NATS: n.server.ClientURL(), Term: 2 * time.Second}
	if done, err := maintenance.Repair(t.Context(), older, maintenance.FromRecord, true, o); err != nil ||
		!strings.Contains(done.Note,
			"new epoch") {
		t.Fatalf("%+v, %v", done, err)
	}
	for _, dir := range []string{copied, dir} {
		_, err := n.at(t, dir)
		reports(t, err, problem.Diverged, "not the home of this ledger")
	}
	f, err := n.at(t, older)
	if err != nil {
		t.Fatal(err)
	}
	step(t, f, "goes-on")
	if err := f.Close(); err != nil {
		t.Error(err)
	}
}

// TestOvertakenHostFollows brings the host that was overtaken back to the one line, by what the report says:
// no way of repair leads in a circle.
func TestOvertakenHostFollows(t *testing.T) {
	t.Parallel()
	n := newClub(t)
	first, second, _ := overtaken(t, n)
	o := maintenance.Options{Holder: "watu repair", NATS: n.server.ClientURL(), Copy: second, Term: 2 * time.Second}
	for _, way := range []string{maintenance.FromStream, maintenance.FromCopy} {
		_, err := maintenance.Repair(t.Context(), first, way, false, o)
		reports(t, err, problem.Diverged, "is another event than the record's")
		p := problem.Of(err)
		if lines := strings.Join(p.Report, "\n"); !strings.Contains(lines, "make a backup on the host that goes on") ||
			strings.Contains(lines, "--from-stream") || strings.Contains(lines, "--yes") {
			t.Errorf("%s proposes\n%s", way, lines)
		}
	}
	key, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	f, err := n.at(t, second)
	if err != nil {
		t.Fatal(err)
	}
	var backup bytes.Buffer
	if err := f.Seal(&backup, key.Recipient()); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	to := filepath.Join(t.TempDir(), "restored")
	if _, err := maintenance.Restore(t.Context(), to, &backup, []age.Identity{key}, o); err != nil {
		t.Fatal(err)
	}
	if f, err = n.at(t, to); err != nil {
		t.Fatal(err)
	}
	step(t, f, "restored")
	if err := f.Close(); err != nil {
		t.Error(err)
	}
}

// TestRepairLooksAtTheLease deletes the stream: no repair of an older copy, and no restore, says that all is
// well, since its next step would be refused. A newer copy mends it.
func TestRepairLooksAtTheLease(t *testing.T) {
	t.Parallel()
	n := newClub(t)
	dir, older := filepath.Join(t.TempDir(), "ledger"), filepath.Join(t.TempDir(), "older")
	key, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	var backup bytes.Buffer
	again := func(campaign string) *service.Service {
		t.Helper()
		f, err := n.at(t, dir)
		if err != nil {
			t.Fatal(err)
		}
		step(t, f, campaign)
		if backup.Len() == 0 {
			if err := f.Seal(&backup, key.Recipient()); err != nil {
				t.Fatal(err)
			}
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		return f
	}
	again("opened")
	if err := os.CopyFS(older, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	n.delete(t, again("more"))
	o := maintenance.Options{
		Holder: "watu repair", NATS: n.server.ClientURL(), Copy: dir, Term: 2 * time.Second,
		Flags: " --dir D --nats URL",
	}
	for _, way := range []string{maintenance.FromStream, maintenance.AcceptLoss, maintenance.FreshSecrets} {
		_, err := maintenance.Repair(t.Context(), older, way, true, o)
		reports(t, err, problem.Diverged, "the lease says that the stream")
		if lines := strings.Join(problem.Of(err).Report, "\n"); !strings.Contains(lines,
			"repair --from-copy COPY --dir D --nats URL") {
			t.Errorf("%s proposes\n%s", way, lines)
		}
	}
	_, err = maintenance.Restore(t.Context(), filepath.Join(t.TempDir(), "restored"), &backup, []age.Identity{key}, o)
	reports(t, err, problem.Diverged, "restored, but", "the lease says that the stream")
	if done, err := maintenance.Repair(t.Context(), older, maintenance.FromCopy, false, o); err != nil ||
		done.FromStream.Events == 0 {
		t.Fatalf("%+v, %v", done, err)
	}
	f, err := n.at(t, older)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
}

// TestLeaseDeleted deletes the lease. Nobody sends the reader to the server that he named; a copy that begins
// a home there, and differs from the stream, remembers the new home, and all is said.
func TestLeaseDeleted(t *testing.T) {
	t.Parallel()
	n := newClub(t)
	first, second, f := overtaken(t, n)
	id := f.Ledger().ID()
	nc, err := nats.Connect(n.server.ClientURL())
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	js, err := jetstream.New(nc)
	if err == nil {
		err = js.DeleteKeyValue(t.Context(), "WATU_LEASE_"+id.String())
	}
	if err != nil {
		t.Fatal(err)
	}
	_, err = n.at(t, first)
	reports(t, err, problem.Diverged, "not the home of this ledger")
	if lines := strings.Join(problem.Of(err).Report, "\n"); strings.Contains(lines, "name the server where it is") ||
		!strings.Contains(lines, "--new-home") {
		t.Errorf("it proposes\n%s", lines)
	}
	var messages []string
	anew := maintenance.Options{
		Steps: true, NATS: n.server.ClientURL(), NewHome: true, Term: 2 * time.Second,
		Say: func(line string) { messages = append(messages, line) },
	}
	_, err = service.New(maintenance.Open(t.Context(), first, anew))
	reports(t, err, problem.Diverged, "is another event than the record's",
		"; nothing was changed but the home of this ledger, which was begun anew at "+n.server.ClientURL()+" (home ")
	if !strings.Contains(strings.Join(messages, "\n"), "nobody there knows whether a copy is newer than this record") {
		t.Errorf("said\n%s", strings.Join(messages, "\n"))
	}
	_, err = n.at(t, first)
	reports(t, err, problem.Diverged, "is another event than the record's") // and not another home
	if p := problem.Of(err); !strings.HasSuffix(p.Message, "; nothing was changed") {
		t.Errorf("%q does not end with what was changed this time", p.Message)
	}
	_, err = n.at(t, second)
	reports(t, err, problem.Diverged, "not the home of this ledger")
}

// TestRestoreFromBeforeTheMove restores a backup of a ledger whose stream was embedded: on the server where
// the ledger moved since it goes on there, with all that happened; on another one, and on one that the
// ledger left, nothing is made.
func TestRestoreFromBeforeTheMove(t *testing.T) {
	t.Parallel()
	n, away := newClub(t), newClub(t)
	key, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "ledger")
	backup := func(o maintenance.Options, campaign string) (file []byte, events uint64) {
		t.Helper()
		o.Begin, o.Steps, o.Term, o.Say = true, true, 2*time.Second, func(line string) { t.Log(line) }
		f, err := service.New(maintenance.Open(t.Context(), dir, o))
		if err != nil {
			t.Fatal(err)
		}
		step(t, f, campaign)
		var b bytes.Buffer
		if err := f.Seal(&b, key.Recipient()); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		return b.Bytes(), f.Ledger().Durable()
	}
	restore := func(file []byte, c *club) (string, maintenance.Restored, error) {
		to := filepath.Join(t.TempDir(), "restored")
		out, err := maintenance.Restore(t.Context(), to, bytes.NewReader(file), []age.Identity{key},
			maintenance.Options{Holder: "watu restore", NATS: c.server.ClientURL(), Term: 2 * time.Second})
		return to, out, err
	}
	before, _ := backup(maintenance.Options{}, "embedded")
	to, _, err := restore(before, n)
	reports(t, err, problem.Diverged, "the stream of this ledger is embedded", "leave out --nats")
	if maintenance.NotEmpty(to) {
		t.Error("a ledger is left behind")
	}
	_, all := backup(maintenance.Options{NATS: n.server.ClientURL(), NewHome: true}, "moved")
	to, out, err := restore(before, n)
	if err != nil || out.Events != all || out.FromStream == nil {
		t.Fatalf("%+v, %v", out, err)
	}
	if _, _, err := restore(before, away); err == nil {
		t.Error("it is restored where the ledger never was")
	}
	f, err := n.at(t, to)
	if err != nil {
		t.Fatal(err)
	}
	step(t, f, "restored")
	to, _, err = restore(before, n) // while that one lives
	reports(t, err, problem.Unreachable, "restored, but without what its stream has")
	if l, err := ledger.Open(to, ledger.Options{}); err != nil || l.Home().ID == "" {
		t.Errorf("it does not remember its home: %v", err)
	} else if err := l.Close(); err != nil {
		t.Error(err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	dir = f.Dir()
	after, _ := backup(maintenance.Options{NewHome: true}, "left")
	to, _, err = restore(after, n)
	reports(t, err, problem.Diverged, "the stream of this ledger is embedded")
	if maintenance.NotEmpty(to) {
		t.Error("a ledger is left behind")
	}
}

// TestCopyFromBeforeTheMove starts a copy of a directory from before its ledger moved to a server, with that server
// named: it is not sent to the embedded stream, where it would go on by itself. One way brings it up to date, and
// leaves the other directory behind.
func TestCopyFromBeforeTheMove(t *testing.T) {
	t.Parallel()
	n, stranger := newClub(t), newClub(t)
	dir, twin := filepath.Join(t.TempDir(), "ledger"), filepath.Join(t.TempDir(), "twin")
	goOn := func(dir string, o maintenance.Options, campaign string) uint64 {
		t.Helper()
		o.Begin, o.Steps, o.Term, o.Say = true, true, 2*time.Second, func(line string) { t.Log(line) }
		f, err := service.New(maintenance.Open(t.Context(), dir, o))
		if err != nil {
			t.Fatal(err)
		}
		step(t, f, campaign)
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		return f.Ledger().Durable()
	}
	goOn(dir, maintenance.Options{}, "embedded")
	if err := os.CopyFS(twin, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	there := maintenance.Options{NATS: n.server.ClientURL(), NewHome: true, Flags: " --nats URL", Term: 2 * time.Second}
	all := goOn(dir, there, "moved")
	_, err := n.at(t, twin)
	reports(t, err, problem.Diverged, "the stream of this ledger is embedded",
		"this may be an older copy, from before it moved there")
	if lines := strings.Join(problem.Of(err).Report, "\n"); !strings.Contains(lines,
		"watu repair --from-stream --new-home") {
		t.Errorf("it proposes\n%s", lines)
	}
	_, err = stranger.at(t, twin)
	reports(t, err, problem.Diverged, "the stream of this ledger is embedded", "leave out --nats")

	done, err := maintenance.Repair(t.Context(), twin, maintenance.FromStream, false, there)
	if err != nil || done.Events != all {
		t.Fatalf("%+v, %v", done, err)
	}
	f, err := n.at(t, twin)
	if err != nil {
		t.Fatal(err)
	}
	step(t, f, "goes-on")
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	_, err = n.at(t, dir)
	reports(t, err, problem.Diverged, "not the home of this ledger")
	goOn(twin, maintenance.Options{NewHome: true}, "moved-back")
	_, err = n.at(t, twin)
	reports(t, err, problem.Diverged, "this may be an older copy", "moved there")
}
