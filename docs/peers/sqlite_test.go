package peers

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"
	"runtime"
	"sync"

	_ "github.com/mattn/go-sqlite3" // faster than the one without C
	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
)

// pragmas in their order: the size of pages cannot be changed any more once there is a log.
// With FULL a commit is durable when it returns. A checkpoint comes every 64 MiB.
var pragmas = []string{
	"page_size=4096", "journal_mode=WAL", "synchronous=FULL",
	"wal_autocheckpoint=16384", "cache_size=-262144",
}

// The events lie in the order of their sequence, so that an append touches the end of one
// table; with the primary key of Postgres each campaign would touch pages of its own.
const sqliteSchema = `
CREATE TABLE events (
	sequence INTEGER PRIMARY KEY,
	campaign BLOB NOT NULL,
	number   INTEGER NOT NULL,
	bytes    BLOB NOT NULL,
	UNIQUE (campaign, number)
);
CREATE TABLE commands (
	campaign BLOB NOT NULL,
	id       TEXT NOT NULL,
	digest   BLOB NOT NULL,
	first    INTEGER NOT NULL,
	count    INTEGER NOT NULL,
	answer   BLOB NOT NULL,
	PRIMARY KEY (campaign, id)
) WITHOUT ROWID;`

// sqlite keeps the record in a SQLite file. SQLite has one writer at a time, so the steps of
// several campaigns share a transaction: the first of a group leads it, as in the ledger.
type sqlite struct {
	db     *sql.DB
	writer *sql.Conn
	write  map[string]*sql.Stmt // of writer, by their text
	read   *sql.Stmt

	turn sync.Mutex // held by who commits
	mu   sync.Mutex // guards open
	open *group     // takes steps; nil if there is none
}

// group is the steps of one transaction, and what became of each.
type group struct {
	steps []*step
	known []bool
	errs  []error
	done  chan struct{}
}

func openSQLite(file string) (*sqlite, error) {
	ctx := context.Background()
	db, err := sql.Open("sqlite3", "file:"+file+"?_mutex=no&_cache_size=-65536")
	if err != nil {
		return nil, err
	}
	db.SetMaxIdleConns(runtime.GOMAXPROCS(0) * readers)
	s := &sqlite{db: db, write: map[string]*sql.Stmt{}}
	if s.writer, err = db.Conn(ctx); err != nil {
		return nil, err
	}
	for _, p := range pragmas {
		if _, err := s.writer.ExecContext(ctx, "PRAGMA "+p); err != nil {
			return nil, fmt.Errorf("%s: %w", p, err)
		}
	}
	if _, err := s.writer.ExecContext(ctx, sqliteSchema); err != nil {
		return nil, err
	}
	s.read, err = db.PrepareContext(ctx,
		"SELECT bytes FROM events WHERE campaign = ? AND number >= ? AND number < ? ORDER BY number")
	return s, err
}

func (s *sqlite) append(_ int, x *step) (known bool, err error) {
	s.mu.Lock()
	leads := s.open == nil
	if leads {
		s.open = &group{done: make(chan struct{})}
	}
	g, place := s.open, len(s.open.steps)
	g.steps = append(g.steps, x)
	s.mu.Unlock()
	if leads {
		s.lead(g)
	}
	<-g.done
	return g.known[place], g.errs[place]
}

// lead waits for the transaction before, closes g to further steps and commits it.
func (s *sqlite) lead(g *group) {
	s.turn.Lock()
	defer s.turn.Unlock()
	runtime.Gosched() // lets in the next steps of those whom the transaction before set free
	s.mu.Lock()
	s.open = nil
	s.mu.Unlock()
	g.known, g.errs = make([]bool, len(g.steps)), make([]error, len(g.steps))
	if s.commit(g.steps, g.known) != nil {
		for i := range g.steps { // each on its own: one of them is refused
			g.errs[i] = s.commit(g.steps[i:i+1], g.known[i:i+1])
		}
	}
	close(g.done)
}

// commit writes the steps in one transaction, and tells which commands were known.
func (s *sqlite) commit(list []*step, known []bool) error {
	if _, err := s.exec("BEGIN IMMEDIATE"); err != nil {
		return err
	}
	var err error
	for i, x := range list {
		if known[i], err = s.add(x); err != nil {
			break
		}
	}
	if err == nil {
		if _, err = s.exec("COMMIT"); err == nil {
			return nil
		}
	}
	_, undone := s.exec("ROLLBACK")
	return errors.Join(err, undone)
}

// add writes a step in two statements: its command, and all of its events.
func (s *sqlite) add(x *step) (known bool, err error) {
	done, err := s.exec("INSERT INTO commands VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
		x.Campaign[:], x.Command, x.Digest[:], int64(x.Expected), len(x.stored), x.Answer)
	if err != nil {
		return false, err
	}
	if n, err := done.RowsAffected(); n == 0 || err != nil {
		return n == 0, err
	}
	args := make([]any, 0, 2+len(x.stored))
	args = append(args, x.Campaign[:], int64(x.Expected))
	for _, b := range x.stored {
		args = append(args, b)
	}
	_, err = s.exec(insertEvents(len(x.stored)), args...)
	return false, err
}

var inserts sync.Map // the texts of insertEvents

// insertEvents is the statement that inserts n events.
func insertEvents(n int) string {
	if text, ok := inserts.Load(n); ok {
		return text.(string)
	}
	text := "INSERT INTO events (campaign, number, bytes) VALUES (?1, ?2, ?3)"
	for i := 1; i < n; i++ {
		text += fmt.Sprintf(", (?1, ?2 + %d, ?%d)", i, i+3)
	}
	inserts.Store(n, text)
	return text
}

// exec executes a statement of the writer, which is prepared once.
func (s *sqlite) exec(text string, args ...any) (sql.Result, error) {
	statement := s.write[text]
	if statement == nil {
		var err error
		if statement, err = s.writer.PrepareContext(context.Background(), text); err != nil {
			return nil, err
		}
		s.write[text] = statement
	}
	return statement.Exec(args...)
}

// settle has nothing to wait for: nothing is published.
func (s *sqlite) settle() error { return nil }

func (s *sqlite) Read(campaign ulid.ULID, from, to uint64) iter.Seq2[events.Record, error] {
	return func(yield func(events.Record, error) bool) {
		rows, err := s.read.Query(campaign[:], int64(from), int64(to))
		if err != nil {
			yield(events.Record{}, err)
			return
		}
		defer rows.Close()
		var b sql.RawBytes // not copied
		for i := from; rows.Next(); i++ {
			if err := rows.Scan(&b); err != nil {
				yield(events.Record{}, err)
				return
			}
			if !yield(events.Record{Campaign: campaign, Index: i, Bytes: b}, nil) {
				return
			}
		}
		if err := rows.Err(); err != nil {
			yield(events.Record{}, err)
		}
	}
}

// rest brings the log into the file, and the planner its statistics.
func (s *sqlite) rest() error {
	for _, text := range []string{"PRAGMA wal_checkpoint(TRUNCATE)", "ANALYZE"} {
		if _, err := s.writer.ExecContext(context.Background(), text); err != nil {
			return fmt.Errorf("%s: %w", text, err)
		}
	}
	return nil
}

func (s *sqlite) close() error {
	return errors.Join(s.writer.Close(), s.db.Close())
}
