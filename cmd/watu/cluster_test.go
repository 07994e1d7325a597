package main

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/rogpeppe/go-internal/testscript"
)

// natscluster NAME starts the cluster of three that docs/running.md configures, for a ledger to begin on. $NAME becomes
// the URL of all three, $NAME1 the address of the first, which natsd NAME1 stop|start stops and starts.
// natscluster NAME LEDGER has the servers read the page's configuration with the ledger filled in.
func natscluster(ts *testscript.TestScript, _ bool, args []string) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "running.md"))
	ts.Check(err)
	config := regexp.MustCompile(`(?m)^    # nats-server\.conf\n(    .*\n)+`).FindString(string(page)) +
		regexp.MustCompile(`(?m)^    cluster \{.*\n`).FindString(string(page))
	if len(args) == 1 { // the ledger has no ULID yet
		begin := regexp.MustCompile("publish: \\[\"watu\\.v1\\.>\", [^`]*\\]").FindString(string(page))
		config = strings.Replace(config, regexp.MustCompile(`publish: \[[^\]]*\]`).FindString(config), begin, 1)
		args = append(args, "LEDGER")
	}
	config = strings.ReplaceAll(config, "LEDGER", args[1])
	servers := ts.Value("servers").(map[string]*elsewhere)
	names := []string{"one", "two", "three"}
	if servers[args[0]+"1"] == nil {
		beginCluster(ts, servers, args[0], names)
	}
	for i, name := range names {
		e := servers[fmt.Sprint(args[0], i+1)]
		text := strings.ReplaceAll(config, "server_name: one", "server_name: "+name)
		text = strings.ReplaceAll(text, "0.0.0.0:4222", ts.Getenv(fmt.Sprint(args[0], i+1)))
		text = strings.ReplaceAll(text, "0.0.0.0:6222", e.route)
		text = strings.ReplaceAll(text, "/var/lib/nats", ts.MkAbs(name))
		for k, other := range names {
			text = strings.ReplaceAll(text, other+":6222", servers[fmt.Sprint(args[0], k+1)].route)
		}
		e.options = &server.Options{}
		ts.Check(e.options.ProcessConfigString(text))
		e.options.NoSigs, e.options.NoLog = true, true
		e.stop()
		e.start(ts)
	}
}

// beginCluster chooses the addresses of a cluster's servers, and stops them when the script ends.
func beginCluster(ts *testscript.TestScript, servers map[string]*elsewhere, name string, of []string) {
	var urls []string
	for i := range of {
		e := &elsewhere{route: vacantAddress(ts)}
		servers[fmt.Sprint(name, i+1)] = e
		ts.Setenv(fmt.Sprint(name, i+1), vacantAddress(ts))
		urls = append(urls, "nats://"+ts.Getenv(fmt.Sprint(name, i+1)))
		ts.Defer(func() { e.stop() })
	}
	ts.Setenv(name, strings.Join(urls, ","))
}

// vacantAddress gives an address of this machine where nobody listens.
func vacantAddress(ts *testscript.TestScript) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	ts.Check(err)
	defer l.Close()
	return l.Addr().String()
}
