package main

import (
	"cmp"
	"errors"
	"log/slog"
	"net"
	"net/netip"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/watu-ledger/watu/cmd/watu/internal/web"
)

// pagesAt is where the pages are if nobody says otherwise: this machine alone may look. 48 is the
// rule that began it.
const pagesAt = "127.0.0.1:4848"

// noPages is the address of a server that has none.
const noPages = "none"

// doorFlags say where the pages are, and by which names and keys.
type doorFlags struct {
	address     string
	hosts       []string
	frame, cors []string
	certificate string
	key         string
	metrics     bool
	log         string
	proxies     []string
	limits      web.Limits
}

func (d *doorFlags) add(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&d.address, "addr", "", "`host:port` of the pages, or none; port 0 for any (default $WATU_ADDR, else "+
		pagesAt+")")
	f.StringArrayVar(&d.hosts, "host", nil, "a `NAME` by which people call the pages, as behind a proxy; may "+
		"be repeated")
	f.StringArrayVar(&d.frame, "frame", nil, "`ORIGIN` of a site that may show /embed/CAMPAIGN in a frame, such as "+
		"https://example.org; may be repeated")
	f.StringArrayVar(&d.cors, "cors", nil, "`ORIGIN` of a site whose pages may read what is public here; may "+
		"be repeated")
	f.StringVar(&d.certificate, "tls-cert", "", "PEM `file` of the certificate, and of those above it, for "+
		"pages over TLS")
	f.StringVar(&d.key, "tls-key", "", "PEM `file` of its key")
	f.BoolVar(&d.metrics, "metrics", false, "let others than this machine read /metrics")
	f.StringSliceVar(&d.proxies, "trusted-proxy", nil, "address or `CIDR` of a proxy whose X-Forwarded-For is "+
		"believed; may be repeated")
	f.IntVar(&d.limits.Connections, "connections-per-address", 128, "connections, and requests under way, that one "+
		"address may have")
	f.IntVar(&d.limits.Streams, "streams-per-address", 64, "streams of events that one address may have")
	f.IntVar(&d.limits.Rate, "requests-per-address", 100, "requests a second that one address may ask")
	f.StringVar(&d.log, "log", "warn", "`LEVEL` of what is logged of requests: debug (all), warn (troubles) or off")
}

// pages takes the address of the pages where they are asked for; nil if they are not. With next another port
// is taken where this one is.
func (t *tool) pages(d doorFlags, next bool) (*web.Server, error) {
	d.address = cmp.Or(d.address, os.Getenv("WATU_ADDR"), pagesAt)
	if d.address == noPages {
		return nil, nil
	}
	_, port, _ := net.SplitHostPort(d.address)
	if _, err := strconv.ParseUint(port, 10, 16); errors.Is(err, strconv.ErrRange) {
		return nil, input("--addr takes a port from 0 to 65535, not %s", port)
	} else if err != nil {
		return nil, input("--addr takes host:port or %s, not %q", noPages, d.address)
	}
	if (d.certificate == "") != (d.key == "") {
		return nil, input("--tls-cert and --tls-key belong together: give both or none")
	}
	for i, name := range d.hosts {
		if d.hosts[i] = strings.ToLower(name); name == "" || strings.ContainsAny(name, ":/ ") &&
			net.ParseIP(name) == nil {
			return nil, input("--host takes a name such as watu.example.org, without scheme and port, not %q", name)
		}
	}
	if err := cmp.Or(readOrigins("--frame", d.frame), readOrigins("--cors", d.cors)); err != nil {
		return nil, err
	}
	log, err := t.logger(d.log)
	if err != nil {
		return nil, err
	}
	if d.limits.Trusted, err = d.trusted(); err != nil {
		return nil, err
	}
	s, err := web.Listen(web.Options{
		Address: d.address, Next: next, Hosts: d.hosts, Certificate: d.certificate, Key: d.key, Metrics: d.metrics,
		Log: log, Limits: d.limits, Frame: d.frame, Read: d.cors,
	})
	if errors.Is(err, web.ErrTaken) {
		return nil, input("the pages cannot be at %s: another program listens there; name another address with "+
			"--addr, or %s", d.address, noPages)
	}
	if taken := (*net.OpError)(nil); errors.As(err, &taken) {
		return nil, input("the pages cannot be at %s: %v; name another address with --addr, or %s", d.address,
			taken.Err, noPages)
	}
	if s != nil && port != "0" && !strings.HasSuffix(s.URL(), ":"+port+"/") {
		t.page.Text("Another program listens at %s: the pages are at the next free port.", d.address)
	}
	return s, err
}

// readOrigins puts origins of other sites as browsers send them.
func readOrigins(flag string, list []string) error {
	for i, text := range list {
		origin, err := web.ParseOrigin(text)
		if err != nil {
			return input("%s %v", flag, err)
		}
		list[i] = origin
	}
	return nil
}

// trusted reads whose word is taken for whom they ask, and sees to it that every limit lets somebody in.
func (d doorFlags) trusted() (list []netip.Prefix, err error) {
	for _, text := range d.proxies {
		p, err := netip.ParsePrefix(text)
		if err != nil {
			a, err := netip.ParseAddr(text)
			if err != nil {
				return nil, input("--trusted-proxy takes an address or a network, such as 10.0.0.7 or "+
					"10.0.0.0/8, not %q", text)
			}
			p = netip.PrefixFrom(a, a.BitLen())
		}
		list = append(list, p.Masked())
	}
	if min(d.limits.Connections, d.limits.Streams, d.limits.Rate) < 1 {
		return nil, input("--connections-per-address, --streams-per-address and --requests-per-address are at least 1")
	}
	return list, nil
}

// logger writes what the pages' server reports to the tool's errors, a line for each.
func (t *tool) logger(level string) (*slog.Logger, error) {
	levels := map[string]slog.Level{"debug": slog.LevelDebug, "warn": slog.LevelWarn}
	if level == "off" {
		return nil, nil
	}
	l, ok := levels[level]
	if !ok {
		return nil, input("--log takes debug, warn or off, not %q", level)
	}
	return slog.New(slog.NewTextHandler(t.err, &slog.HandlerOptions{Level: l})), nil
}

// printPages says where the pages are.
func (t *tool) printPages(pages *web.Server) {
	if pages == nil {
		return
	}
	t.page.Line("pages   " + pages.URL())
	t.page.labelled("", pages.Warning())
}
