package maintenance

import (
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/watu-ledger/watu/replay/kept"
)

const (
	nameSocket = "watu.sock"
	nameElse   = "SOCKET" // says where the socket is, if it could not be in the directory

	shortPrefix = "watu-" // begins the name of the directory where it is then
)

// longest is how long a unix socket's path may be on every system that we know (104 bytes on
// some, with the zero at its end).
const longest = 100

// listen makes the directory's socket, for its owner alone. The lock must be held. A directory
// whose name is too long gets its socket in a temporary one of its own, which the file SOCKET
// names.
func listen(dir string) (l net.Listener, path string, err error) {
	path = filepath.Join(dir, nameSocket)
	if len(path) > longest {
		short, err := os.MkdirTemp("", shortPrefix)
		if err != nil {
			return nil, "", err
		}
		path = filepath.Join(short, nameSocket)
		if err := kept.Replace(filepath.Join(dir, nameElse), []byte(path+"\n")); err != nil {
			return nil, "", err
		}
	}
	if l, err = net.Listen("unix", path); err != nil {
		return nil, "", err
	}
	if err := os.Chmod(path, 0o600); err != nil {
		return nil, "", errors.Join(err, l.Close())
	}
	return l, path, nil
}

// socketOf is where the directory's socket is, or would be. What SOCKET says counts if listen may have
// written it: a damaged one must not have another file removed.
func socketOf(dir string) string {
	text, err := kept.Read(filepath.Join(dir, nameElse), smallFile)
	path := strings.TrimSpace(string(text))
	if err == nil && filepath.Base(path) == nameSocket && strings.HasPrefix(filepath.Base(filepath.Dir(path)),
		shortPrefix) {
		return path
	}
	return filepath.Join(dir, nameSocket)
}

// removeSocket removes what a server left behind. Only the holder of the lock may do this: nobody answers for the
// directory then, and a socket that answers is another's, as whatever is no socket.
func removeSocket(dir string) {
	path := socketOf(dir)
	info, err := os.Lstat(path)
	if err == nil && info.Mode().Type() == fs.ModeSocket && !answers(dir) {
		_ = os.Remove(path)
	}
	if filepath.Dir(path) != filepath.Clean(dir) {
		_ = os.Remove(filepath.Dir(path)) // if there is nothing in it
		_ = os.Remove(filepath.Join(dir, nameElse))
	}
}

// Socket gives where somebody listens for the directory, and whether anybody does.
func Socket(dir string) (path string, ok bool) { return socketOf(dir), answers(dir) }

// DialWait is how long a connection to a socket of this machine may take.
const DialWait = 10 * time.Second

// answers reports whether somebody listens on the directory's socket.
func answers(dir string) bool {
	path := socketOf(dir)
	if len(path) > longest {
		return false
	}
	c, err := net.DialTimeout("unix", path, DialWait)
	if err != nil {
		return false
	}
	return c.Close() == nil
}

// isNetwork reports whether an error is of the network rather than of a disk.
func isNetwork(err error) bool {
	var op *net.OpError
	var address *net.AddrError
	var name *net.DNSError
	return (errors.As(err, &op) || errors.As(err, &address) || errors.As(err, &name)) && !errors.Is(err, fs.ErrNotExist)
}
