package stream

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/jwt/v2"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nkeys"
)

// authority makes certificates of one root.
type authority struct {
	dir  string
	key  *ecdsa.PrivateKey
	root *x509.Certificate
}

func newAuthority(t *testing.T) *authority {
	t.Helper()
	a := &authority{dir: t.TempDir()}
	a.root, a.key = a.issue(t, "root", true)
	return a
}

// issue makes a certificate for 127.0.0.1, its own issuer if it is the root, and writes it.
func (a *authority) issue(t *testing.T, name string, isRoot bool) (*x509.Certificate, *ecdsa.PrivateKey) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	check(t, err)
	c := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: name},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: isRoot, BasicConstraintsValid: true,
		KeyUsage:    x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
	parent, signer := a.root, a.key
	if isRoot {
		parent, signer = c, key
	}
	der, err := x509.CreateCertificate(rand.Reader, c, parent, &key.PublicKey, signer)
	check(t, err)
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	check(t, err)
	a.write(t, name+".pem", "CERTIFICATE", der)
	a.write(t, name+".key", "PRIVATE KEY", secret)
	c, err = x509.ParseCertificate(der)
	check(t, err)
	return c, key
}

func (a *authority) write(t *testing.T, name, kind string, der []byte) {
	t.Helper()
	check(t, os.WriteFile(a.file(name), pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600))
}

func (a *authority) file(name string) string { return filepath.Join(a.dir, name) }

// guarded starts a server that speaks TLS and wants a certificate of the root from clients.
func (a *authority) guarded(t *testing.T) *server.Server {
	t.Helper()
	a.issue(t, "server", false)
	pair, err := tls.LoadX509KeyPair(a.file("server.pem"), a.file("server.key"))
	check(t, err)
	roots := x509.NewCertPool()
	roots.AddCert(a.root)
	return run(t, &server.Options{
		Host: "127.0.0.1", Port: -1, JetStream: true, StoreDir: t.TempDir(), TLSTimeout: 5, TLSVerify: true,
		TLSConfig: &tls.Config{Certificates: []tls.Certificate{pair}, ClientCAs: roots,
			ClientAuth: tls.RequireAndVerifyClientCert},
	})
}

// contexts gives the test a home of the nats CLI, and a way to write a context there.
func contexts(t *testing.T) func(name string, fields map[string]string) {
	home := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", home)
	dir := filepath.Join(home, "nats", "context")
	check(t, os.MkdirAll(dir, 0o700))
	return func(name string, fields map[string]string) {
		t.Helper()
		text, err := json.Marshal(fields)
		check(t, err)
		check(t, os.WriteFile(filepath.Join(dir, name+".json"), text, 0o600))
	}
}

// publishes shows that a target serves from beginning to end.
func publishes(t *testing.T, target string) {
	t.Helper()
	nc := dialled(t, target)
	l := newLog(target).write(50, "atlantic").sync()
	box, _ := open(t, nc, l, Options{})
	drain(t, box)
	wantSame(t, nc, l)
	box.Close()
}

func TestContextWithUserAndPassword(t *testing.T) {
	write := contexts(t)
	s := elsewhere(t, `authorization { user: umpire, password: secret }`, true)
	write("club", map[string]string{"url": urlOf(s, ""), "user": "umpire", "password": "secret"})
	publishes(t, "club")
	write("wrong", map[string]string{"url": urlOf(s, ""), "user": "umpire", "password": "sesame"})
	wantRefused(t, "wrong", ErrUnauthorized, s.Addr().String())
}

func TestContextWithNkey(t *testing.T) {
	write := contexts(t)
	user, err := nkeys.CreateUser()
	check(t, err)
	public, err := user.PublicKey()
	check(t, err)
	seed, err := user.Seed()
	check(t, err)
	file := filepath.Join(t.TempDir(), "umpire.nk")
	check(t, os.WriteFile(file, seed, 0o600))
	s := elsewhere(t, `authorization { users: [{nkey: `+public+`}] }`, true)
	write("club", map[string]string{"url": urlOf(s, ""), "nkey": file})
	publishes(t, "club")
	write("keyless", map[string]string{"url": urlOf(s, "")})
	wantRefused(t, "keyless", ErrUnauthorized, s.Addr().String())
	write("lost", map[string]string{"url": urlOf(s, ""), "nkey": file + ".lost"})
	wantRefused(t, "lost", ErrTarget, "umpire.nk.lost")
}

// operated starts a server whose accounts are tokens signed by an operator, and gives the
// credentials of a user.
func operated(t *testing.T) (*server.Server, []byte) {
	t.Helper()
	operator, account, user := keyPair(t, nkeys.CreateOperator), keyPair(t, nkeys.CreateAccount),
		keyPair(t, nkeys.CreateUser)
	system := keyPair(t, nkeys.CreateAccount)
	oc := jwt.NewOperatorClaims(operator.public)
	oc.SystemAccount = system.public
	resolver := &server.MemAccResolver{}
	for _, a := range []pair{account, system} {
		ac := jwt.NewAccountClaims(a.public)
		if a == account {
			ac.Limits.JetStreamLimits = jwt.JetStreamLimits{
				MemoryStorage: -1, DiskStorage: -1, Streams: -1, Consumer: -1,
				MemoryMaxStreamBytes: -1, DiskMaxStreamBytes: -1, MaxAckPending: -1,
			}
		}
		text, err := ac.Encode(operator.KeyPair)
		check(t, err)
		check(t, resolver.Store(a.public, text))
	}
	text, err := jwt.NewUserClaims(user.public).Encode(account.KeyPair)
	check(t, err)
	seed, err := user.Seed()
	check(t, err)
	creds, err := jwt.FormatUserConfig(text, seed)
	check(t, err)
	return run(t, &server.Options{
		Host: "127.0.0.1", Port: -1, JetStream: true, StoreDir: t.TempDir(),
		TrustedOperators: []*jwt.OperatorClaims{oc}, SystemAccount: system.public, AccountResolver: resolver,
	}), creds
}

type pair struct {
	nkeys.KeyPair
	public string
}

func keyPair(t *testing.T, make func() (nkeys.KeyPair, error)) pair {
	t.Helper()
	k, err := make()
	check(t, err)
	public, err := k.PublicKey()
	check(t, err)
	return pair{k, public}
}

func TestContextWithCredentials(t *testing.T) {
	write := contexts(t)
	s, creds := operated(t)
	file := filepath.Join(t.TempDir(), "umpire.creds")
	check(t, os.WriteFile(file, creds, 0o600))
	write("club", map[string]string{"url": urlOf(s, ""), "creds": file})
	publishes(t, "club")
	t.Setenv("HOME", filepath.Dir(file))
	write("club", map[string]string{"url": urlOf(s, ""), "creds": "~/umpire.creds"})
	publishes(t, "club")
	t.Setenv("CREDS", filepath.Dir(file))
	write("club", map[string]string{"url": urlOf(s, ""), "creds": "$CREDS/umpire.creds"})
	publishes(t, "club")
	jwt, seed := decorated(t, creds)
	write("inline", map[string]string{"url": urlOf(s, ""), "user_jwt": jwt, "user_seed": seed})
	publishes(t, "inline")
	check(t, os.Remove(file))
	wantRefused(t, "club", ErrTarget, "umpire.creds")
}

// decorated takes a file of credentials apart.
func decorated(t *testing.T, creds []byte) (token, seed string) {
	t.Helper()
	token, err := nkeys.ParseDecoratedJWT(creds)
	check(t, err)
	pair, err := nkeys.ParseDecoratedNKey(creds)
	check(t, err)
	text, err := pair.Seed()
	check(t, err)
	return token, string(text)
}

func TestContextWithTLS(t *testing.T) {
	write := contexts(t)
	a := newAuthority(t)
	s := a.guarded(t)
	a.issue(t, "umpire", false)
	write("club", map[string]string{
		"url": urlOf(s, ""), "ca": a.file("root.pem"), "cert": a.file("umpire.pem"), "key": a.file("umpire.key"),
	})
	publishes(t, "club")
	write("without-key", map[string]string{"url": urlOf(s, ""), "ca": a.file("root.pem")})
	wantRefused(t, "without-key", ErrTLS, "certificate")
	wantRefused(t, "tls://"+s.Addr().String(), ErrTLS, "unknown authority")
	wantRefused(t, urlOf(s, ""), ErrTLS, "unknown authority") // the server insists
	open := elsewhere(t, "", true)
	wantRefused(t, "tls://"+open.Addr().String(), ErrTLS, open.Addr().String())
}

// wantRefused fails unless a target is refused at once, for a reason and in one line with some
// words, and without any secret.
func wantRefused(t *testing.T, target string, reason error, words ...string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 15*time.Second)
	defer cancel()
	nc, err := Dial(ctx, target, t.Logf)
	if err == nil {
		nc.Close()
		t.Fatalf("connected to %s", target)
	}
	t.Log(err)
	if !errors.Is(err, reason) || ctx.Err() != nil {
		t.Errorf("%s: %v", target, err)
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("%s: %v: does not say %q", target, err, w)
		}
	}
	for _, secret := range []string{"sesame", "secret", "\n"} {
		if strings.Contains(err.Error(), secret) {
			t.Errorf("says %q: %v", secret, err)
		}
	}
}

func TestTargetsThatAreNone(t *testing.T) {
	write := contexts(t)
	dir := filepath.Join(os.Getenv("XDG_CONFIG_HOME"), "nats", "context")
	wantRefused(t, "club", ErrUnknownContext, `"club"`, "there is none in "+dir+";")
	write("club", map[string]string{"url": "nats://127.0.0.1:1"})
	write("league", map[string]string{"url": "nats://127.0.0.1:1", "jetstream_domain": "hub"})
	write("odd", map[string]string{"url": "http://127.0.0.1:1"})
	check(t, os.WriteFile(filepath.Join(dir, "torn.json"), []byte(`{"url":`), 0o600))
	wantRefused(t, "clubs", ErrUnknownContext, `"clubs"`, "there are club, league, odd, torn in "+dir+";")
	wantRefused(t, "", ErrUnknownContext)
	wantRefused(t, "../club", ErrUnknownContext)
	wantRefused(t, "league", ErrTarget, "league", "domain")
	write("looked-up", map[string]string{"nsc": "nsc://hub/club/umpire"})
	wantRefused(t, "looked-up", ErrTarget, "looked-up", "nsc", "creds")
	write("kept", map[string]string{"url": "nats://127.0.0.1:1", "creds": "op://club/umpire/creds"})
	wantRefused(t, "kept", ErrTarget, "kept", "1Password")
	write("windows", map[string]string{"url": "nats://127.0.0.1:1", "windows_cert_store": "user"})
	wantRefused(t, "windows", ErrTarget, "windows", "cert, key and ca")
	wantRefused(t, "odd", ErrTarget, "odd", "nats://host:4222")
	wantRefused(t, "torn", ErrTarget, "torn", "JSON")
	wantRefused(t, "http://127.0.0.1:1", ErrTarget, "http://127.0.0.1:1", "nats://host:4222")
	wantRefused(t, "nats://", ErrTarget, "nats://host:4222")
	wantRefused(t, "nats://umpire:ses ame@host:what", ErrTarget, "address 1")
	wantRefused(t, " , ://", ErrTarget)
}

func TestServersThatDoNotAnswer(t *testing.T) {
	t.Parallel()
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	check(t, err)
	defer silent.Close()
	gone, err := net.Listen("tcp", "127.0.0.1:0")
	check(t, err)
	check(t, gone.Close())
	wantRefused(t, "nats://umpire:sesame@"+gone.Addr().String(), ErrUnreachable, gone.Addr().String(),
		"connection refused")
	wantRefused(t, "nats://"+silent.Addr().String(), ErrUnreachable, silent.Addr().String(), "timeout")
	wantRefused(t, "nats://host.invalid", ErrUnreachable, "host.invalid")

	s := elsewhere(t, `authorization { token: "secret" }`, true)
	wantRefused(t, urlOf(s, "sesame"), ErrUnauthorized, s.Addr().String())
	wantRefused(t, urlOf(s, "")+", "+gone.Addr().String(), ErrUnauthorized, s.Addr().String(), gone.Addr().String(),
		"connection refused")
	publishes(t, "nats://"+gone.Addr().String()+","+urlOf(s, "secret"))

	ctx, cancel := context.WithCancel(soon(t))
	cancel()
	if _, err := Dial(ctx, "nats://"+silent.Addr().String(), t.Logf); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// A request that is made while the connection is away is one to a server that is not reached.
func TestAskedWhileAway(t *testing.T) {
	t.Parallel()
	s := elsewhere(t, "", true)
	nc := dialled(t, "nats://"+s.Addr().String())
	stop(s)
	for nc.IsConnected() {
		time.Sleep(time.Millisecond)
	}
	if err := explain("read", nc.Publish("watu.v1", nil)); !errors.Is(err, ErrUnreachable) {
		t.Error(err)
	}
}

// TestConnectedAgain stops a server and starts it again: a connection that is lost and comes back says both.
func TestConnectedAgain(t *testing.T) {
	t.Parallel()
	o := &server.Options{Host: "127.0.0.1", Port: -1}
	s := run(t, o)
	o.Port = s.Addr().(*net.TCPAddr).Port
	stated := make(chan string, 10)
	nc, err := Dial(soon(t), fmt.Sprintf("nats://anna:sesame@127.0.0.1:%d", o.Port), func(format string, args ...any) {
		stated <- fmt.Sprintf(format, args...)
	})
	check(t, err)
	defer nc.Close()
	stop(s)
	run(t, o)
	for _, want := range []string{"nats: disconnected: EOF",
		fmt.Sprintf("nats: connected again to nats://127.0.0.1:%d", o.Port)} {
		select {
		case got := <-stated:
			if got != want {
				t.Errorf("said %q, want %q", got, want)
			}
		case <-soon(t).Done():
			t.Fatalf("it does not say %q", want)
		}
	}
}
