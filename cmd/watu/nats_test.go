package main

import (
	"context"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/rogpeppe/go-internal/testscript"
)

// elsewhere is a NATS server that is not ours, as its operator runs it.
type elsewhere struct {
	options *server.Options
	server  *server.Server
	route   string // where the other servers of its cluster reach it
}

// usersConfig has a user who may do everything in an account with JetStream, one who may only
// read, and one in an account without.
const usersConfig = `
accounts {
  LEDGERS {
    jetstream: enabled
    users: [
      {user: host, password: right}
      {user: guest, password: right, permissions: {
        publish: "$JS.API.DIRECT.GET.>", subscribe: ["watu.v1.>", "_INBOX.>"]}}
    ]
  }
  OTHERS { users: [{user: other, password: right}] }
}`

// natsd NAME jetstream|bare|users starts a server until the script ends; $NAME becomes its URL.
// natsd NAME stop|start stops it, and starts it again with its port and files.
// natsd NAME foreign LEDGER makes a stream of somebody else's under the name of a ledger's.
// natsd NAME delete LEDGER deletes a ledger's stream; delete-lease LEDGER the bucket of its lease.
func natsd(ts *testscript.TestScript, _ bool, args []string) {
	servers := ts.Value("servers").(map[string]*elsewhere)
	e := servers[args[0]]
	if e == nil {
		e = &elsewhere{options: &server.Options{Host: "127.0.0.1", Port: -1, NoSigs: true, NoLog: true}}
		servers[args[0]] = e
		ts.Defer(func() { e.stop() })
	}
	switch args[1] {
	case "stop":
		e.stop()
		return
	case "foreign":
		orders := jetstream.StreamConfig{Name: "WATU_" + args[2], Subjects: []string{"orders.>"}}
		_, err := e.jetStream(ts).CreateStream(context.Background(), orders)
		ts.Check(err)
		return
	case "delete":
		ts.Check(e.jetStream(ts).DeleteStream(context.Background(), "WATU_"+args[2]))
		return
	case "delete-lease":
		ts.Check(e.jetStream(ts).DeleteKeyValue(context.Background(), "WATU_LEASE_"+args[2]))
		return
	case "users":
		ts.Check(e.options.ProcessConfigString(usersConfig))
		e.options.Host, e.options.Port, e.options.NoSigs, e.options.NoLog = "127.0.0.1", -1, true, true
		fallthrough
	case "jetstream":
		e.options.JetStream, e.options.StoreDir = true, ts.MkAbs(args[0]+"-store")
	}
	e.start(ts)
	ts.Setenv(args[0], "nats://"+e.server.Addr().String())
	e.options.Port = e.server.Addr().(*net.TCPAddr).Port
}

func (e *elsewhere) start(ts *testscript.TestScript) {
	copied := *e.options
	s, err := server.NewServer(&copied)
	ts.Check(err)
	s.Start()
	await(ts, "a nats server", func() bool { return s.ReadyForConnections(time.Second) })
	e.server = s
}

func (e *elsewhere) stop() {
	if e.server != nil {
		e.server.Shutdown()
		e.server.WaitForShutdown()
		e.server = nil
	}
}

// jetStream connects to the server, until the script ends.
func (e *elsewhere) jetStream(ts *testscript.TestScript) jetstream.JetStream {
	nc, err := nats.Connect("nats://" + e.server.Addr().String())
	ts.Check(err)
	ts.Defer(nc.Close)
	js, err := jetstream.New(nc)
	ts.Check(err)
	return js
}

// polls PATTERN COMMAND… runs a command until it succeeds and a line of what it prints matches.
func polls(ts *testscript.TestScript, _ bool, args []string) {
	pattern := regexp.MustCompile("(?m)" + args[0])
	await(ts, args[0], func() bool {
		cmd := exec.Command(args[1], args[2:]...)
		cmd.Dir, cmd.Env = ts.Getenv("WORK"), append(os.Environ(), "WATU_DIR="+ts.Getenv("WATU_DIR"),
			"WATU_NATS="+ts.Getenv("WATU_NATS"), "HOME="+ts.Getenv("HOME"))
		out, err := cmd.Output()
		return err == nil && pattern.Match(out)
	})
}

// matched NAME PATTERN sets $NAME to what the group in the pattern matches in the last output.
func matched(ts *testscript.TestScript, _ bool, args []string) {
	found := regexp.MustCompile("(?m)" + args[1]).FindStringSubmatch(ts.ReadFile("stdout"))
	if found == nil {
		ts.Fatalf("no match for %s in\n%s", args[1], ts.ReadFile("stdout"))
	}
	ts.Setenv(args[0], found[1])
}

// lose DIR takes away what the record wrote last, as a disk may that lied about syncing: the
// newest file of its log becomes empty.
func lose(ts *testscript.TestScript, _ bool, args []string) {
	logs, err := filepath.Glob(filepath.Join(ts.MkAbs(args[0]), "record", "*.log"))
	ts.Check(err)
	ts.Check(os.Truncate(slices.Max(logs), 0))
}

// cutshort FILE BYTES keeps the beginning of a file; with a minus, all but so many bytes.
func cutshort(ts *testscript.TestScript, _ bool, args []string) {
	n, err := strconv.ParseInt(args[1], 10, 64)
	ts.Check(err)
	if n < 0 {
		info, err := os.Stat(ts.MkAbs(args[0]))
		ts.Check(err)
		n += info.Size()
	}
	ts.Check(os.Truncate(ts.MkAbs(args[0]), n))
}
