package peers

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
)

// errNoPostgres says that this machine has no Postgres server to compare with.
var errNoPostgres = errors.New("no Postgres server program (postgres, initdb) in PATH or /usr/lib/postgresql/*/bin")

// settings are for this one work, within durability: fsync, synchronous_commit and
// full_page_writes stay on, as they are by default. No checkpoint, vacuum or statistics come
// between, which is more than a server in use would be granted. commit_delay lets steps of many
// campaigns share a sync and does not delay one alone; other methods to sync, values of
// commit_delay and sizes of buffers made no difference.
var settings = []string{
	"listen_addresses=", "max_connections=100",
	"fsync=on", "synchronous_commit=on", "full_page_writes=on",
	"shared_buffers=1GB", "effective_io_concurrency=200", "random_page_cost=1.1", "jit=off",
	"wal_level=minimal", "max_wal_senders=0", "wal_buffers=64MB", "wal_compression=lz4",
	"min_wal_size=2GB", "max_wal_size=16GB", "checkpoint_timeout=1h",
	"commit_delay=1000", "autovacuum=off", "track_activities=off", "track_counts=off",
	"bgwriter_lru_maxpages=0", "plan_cache_mode=force_generic_plan", "update_process_title=off",
}

// server is a private Postgres on a unix socket in a directory of its own.
type server struct {
	dir     string // holds socket and cluster
	version string
	process *exec.Cmd
}

// startServer makes a cluster and starts its server. Postgres refuses to run as root: then it
// runs as the user postgres, or nobody.
func startServer() (*server, error) {
	bin, err := binaries()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "watu-peers-")
	if err != nil {
		return nil, err
	}
	s := &server{dir: dir}
	as, err := unprivileged(dir)
	if err != nil {
		return nil, errors.Join(err, s.stop())
	}
	cluster := filepath.Join(dir, "cluster")
	init := exec.Command(filepath.Join(bin, "initdb"), "-D", cluster, "-U", "watu", "-A", "trust",
		"-E", "UTF8", "--locale=C", "--no-sync", "--wal-segsize=64")
	init.SysProcAttr, init.Dir = as, dir
	if out, err := init.CombinedOutput(); err != nil {
		return nil, errors.Join(fmt.Errorf("initdb: %w: %s", err, out), s.stop())
	}
	args := []string{"-D", cluster, "-k", dir}
	for _, x := range settings {
		args = append(args, "-c", x)
	}
	log, err := os.Create(filepath.Join(dir, "log"))
	if err != nil {
		return nil, errors.Join(err, s.stop())
	}
	defer log.Close()
	process := exec.Command(filepath.Join(bin, "postgres"), args...)
	process.SysProcAttr, process.Dir, process.Stdout, process.Stderr = as, dir, log, log
	if err := process.Start(); err != nil {
		return nil, errors.Join(err, s.stop())
	}
	s.process = process
	if err := s.ready(); err != nil {
		said, _ := os.ReadFile(log.Name())
		return nil, errors.Join(fmt.Errorf("postgres: %w: %s", err, said), s.stop())
	}
	return s, nil
}

// binaries finds the directory of the newest server installed, which Debian keeps out of PATH.
func binaries() (string, error) {
	if p, err := exec.LookPath("postgres"); err == nil {
		return filepath.Dir(p), nil
	}
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/postgres")
	if len(found) == 0 {
		return "", errNoPostgres
	}
	version := func(p string) int {
		n, _ := strconv.Atoi(filepath.Base(filepath.Dir(filepath.Dir(p))))
		return n
	}
	newest := slices.MaxFunc(found, func(a, b string) int { return version(a) - version(b) })
	return filepath.Dir(newest), nil
}

// unprivileged says as whom to run the server, and gives dir to him; nil is the user himself.
func unprivileged(dir string) (*syscall.SysProcAttr, error) {
	if os.Getuid() != 0 {
		return nil, nil
	}
	u, err := user.Lookup("postgres")
	if err != nil {
		u, err = user.Lookup("nobody")
	}
	if err != nil {
		return nil, err
	}
	uid, err1 := strconv.ParseUint(u.Uid, 10, 32)
	gid, err2 := strconv.ParseUint(u.Gid, 10, 32)
	if err := errors.Join(err1, err2, os.Chown(dir, int(uid), int(gid))); err != nil {
		return nil, err
	}
	return &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}, nil
}

// ready waits until the server answers, and notes its version.
func (s *server) ready() error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	for {
		conn, err := s.connect(ctx)
		if err == nil {
			err = conn.QueryRow(ctx, "SELECT split_part(current_setting('server_version'), ' ', 1)").Scan(&s.version)
			return errors.Join(err, conn.Close(ctx))
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(50 * time.Millisecond):
		}
	}
}

func (s *server) connect(ctx context.Context) (*pgx.Conn, error) {
	return pgx.Connect(ctx, fmt.Sprintf("host=%s user=watu dbname=postgres sslmode=disable", s.dir))
}

// stop ends the server, which then disconnects everyone, and removes its directory.
func (s *server) stop() error {
	var err error
	if s.process != nil {
		err = errors.Join(s.process.Process.Signal(syscall.SIGINT), s.process.Wait())
	}
	return errors.Join(err, os.RemoveAll(s.dir))
}
