package main

import (
	"errors"
	"net"
	"os"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/watu-ledger/watu/cmd/watu/internal/office"
	"github.com/watu-ledger/watu/cmd/watu/internal/web"
)

// pagesAt is where the pages are if nobody says otherwise: this machine alone may look. 48 is the
// rule that began it.
const pagesAt = "127.0.0.1:4848"

// noPages is the address of a server that has none.
const noPages = "none"

// addressFlag is where the pages are asked for.
func addressFlag(c *cobra.Command, address *string) {
	c.Flags().StringVar(address, "addr", "", "`host:port` of the pages, or none; port 0 for any (default $WATU_ADDR, else "+pagesAt+")")
}

// pages opens the pages where they are asked for; nil if they are not. With next another port is
// taken where this one is.
func (t *tool) pages(f *office.Office, address string, next bool) (*web.Server, error) {
	if address == "" {
		address = os.Getenv("WATU_ADDR")
	}
	if address == "" {
		address = pagesAt
	}
	if address == noPages {
		return nil, nil
	}
	_, port, err := net.SplitHostPort(address)
	if err == nil {
		_, err = strconv.ParseUint(port, 10, 16)
	}
	if err != nil {
		return nil, input("--addr takes host:port or %s, not %q", noPages, address)
	}
	s, err := web.Listen(f, web.Options{Address: address, Next: next})
	if errors.Is(err, web.ErrTaken) {
		return nil, input("the pages cannot be at %s: another program listens there; name another address with --addr, or %s", address, noPages)
	}
	return s, err
}
