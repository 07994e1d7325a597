package stream

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/nats-io/nats.go"
	"golang.org/x/net/proxy"
)

// cliContext is a context of the nats CLI: a JSON file in ~/.config/nats/context that names servers and how to sign in.
// Paths may begin with ~ and hold variables of the environment.
type cliContext struct {
	URL         string `json:"url"`
	User        string `json:"user"`
	Password    string `json:"password"`
	Token       string `json:"token"`
	Creds       string `json:"creds"`
	NKey        string `json:"nkey"`
	UserJWT     string `json:"user_jwt"`
	UserSeed    string `json:"user_seed"`
	Cert        string `json:"cert"`
	Key         string `json:"key"`
	CA          string `json:"ca"`
	TLSFirst    bool   `json:"tls_first"`
	SOCKS       string `json:"socks_proxy"`
	InboxPrefix string `json:"inbox_prefix"`

	// Not supported: a context that has them is refused.
	Domain    string `json:"jetstream_domain"`
	APIPrefix string `json:"jetstream_api_prefix"`
	NSC       string `json:"nsc"`
	CertStore string `json:"windows_cert_store"`
}

// contextDir is where the nats CLI keeps its contexts.
func contextDir() (string, error) {
	if config := os.Getenv("XDG_CONFIG_HOME"); config != "" {
		return filepath.Join(config, "nats", "context"), nil
	}
	home, err := os.UserHomeDir()
	return filepath.Join(home, ".config", "nats", "context"), err
}

// fromContext reads a context of the nats CLI, and gives its servers and options.
func fromContext(name string) ([]string, []nats.Option, error) {
	c, err := readContext(name)
	if err != nil {
		return nil, nil, err
	}
	options, err := c.options()
	if err != nil {
		return nil, nil, fmt.Errorf("%w: context %s: %w", ErrTarget, name, err)
	}
	c.URL = cmp.Or(c.URL, nats.DefaultURL)
	servers, err := addresses(c.URL)
	if err != nil {
		return nil, nil, fmt.Errorf("context %s: %w", name, err)
	}
	return servers, options, nil
}

func readContext(name string) (c cliContext, err error) {
	dir, err := contextDir()
	if err != nil {
		return c, fmt.Errorf("%w %q: %w", ErrUnknownContext, name, err)
	}
	var known []string
	files, _ := filepath.Glob(filepath.Join(dir, "*.json"))
	for _, file := range files {
		known = append(known, strings.TrimSuffix(filepath.Base(file), ".json"))
	}
	if !slices.Contains(known, name) {
		there := "there is none"
		if len(known) > 0 {
			there = "there are " + strings.Join(known, ", ")
		}
		return c, fmt.Errorf("%w %q: %s in %s; a URL like nats://host:4222 does as well", ErrUnknownContext, name,
			there, dir)
	}
	text, err := os.ReadFile(filepath.Join(dir, name+".json"))
	if err == nil {
		err = json.Unmarshal(text, &c)
	}
	if err != nil {
		return c, fmt.Errorf("%w: context %s: %w", ErrTarget, name, err)
	}
	return c, c.supported(name)
}

// supported refuses a context that says what is not done here.
func (c *cliContext) supported(name string) error {
	switch {
	case c.Domain != "" || c.APIPrefix != "":
		return fmt.Errorf(
			"%w: context %s reaches jetstream through a domain or prefix; name the server that holds the stream",
			ErrTarget, name)
	case c.NSC != "":
		return fmt.Errorf("%w: context %s looks its account up with nsc; name the servers in url and the file in creds",
			ErrTarget, name)
	case strings.HasPrefix(c.Creds, "op://"):
		return fmt.Errorf("%w: context %s keeps its credentials in 1Password; name a file in creds", ErrTarget, name)
	case c.CertStore != "":
		return fmt.Errorf(
			"%w: context %s takes its certificate from a store of Windows; name files in cert, key and ca",
			ErrTarget, name)
	}
	return nil
}

// options are those that a context adds to a connection.
func (c *cliContext) options() (list []nats.Option, err error) {
	add := func(wanted bool, option func() nats.Option) {
		if wanted {
			list = append(list, option())
		}
	}
	switch {
	case c.User != "":
		list = append(list, nats.UserInfo(c.User, c.Password))
	case c.Creds != "":
		list = append(list, nats.UserCredentials(expand(c.Creds)))
	case c.NKey != "":
		option, err := nats.NkeyOptionFromSeed(expand(c.NKey))
		if err != nil {
			return nil, err
		}
		list = append(list, option)
	case c.UserJWT != "":
		list = append(list, c.bearer())
	}
	add(c.Token != "", func() nats.Option { return nats.Token(c.Token) })
	add(c.Cert != "" && c.Key != "", func() nats.Option { return nats.ClientCert(expand(c.Cert), expand(c.Key)) })
	add(c.CA != "", func() nats.Option { return nats.RootCAs(expand(c.CA)) })
	add(c.SOCKS != "", func() nats.Option { return nats.SetCustomDialer(socks(c.SOCKS)) })
	add(c.InboxPrefix != "", func() nats.Option { return nats.CustomInboxPrefix(c.InboxPrefix) })
	add(c.TLSFirst, nats.TLSHandshakeFirst)
	return list, nil
}

// bearer signs in with a JWT that stands in the context; without a seed it is a bearer token, and signs nothing.
func (c *cliContext) bearer() nats.Option {
	if c.UserSeed != "" {
		return nats.UserJWTAndSeed(c.UserJWT, c.UserSeed)
	}
	return nats.UserJWT(func() (string, error) { return c.UserJWT, nil },
		func([]byte) ([]byte, error) { return nil, nil })
}

// expand gives a path with its variables and a leading ~ filled in.
func expand(path string) string {
	path = os.ExpandEnv(path)
	if home, err := os.UserHomeDir(); err == nil && strings.HasPrefix(path, "~") {
		path = home + path[1:]
	}
	return path
}

// socks is the URL of a SOCKS proxy, through which the servers are reached.
type socks string

// Dial connects through the proxy.
func (s socks) Dial(network, address string) (net.Conn, error) {
	u, err := url.Parse(string(s))
	if err != nil {
		return nil, err
	}
	through, err := proxy.FromURL(u, proxy.Direct)
	if err != nil {
		return nil, err
	}
	return through.Dial(network, address)
}
