package peers

import (
	"context"
	"errors"
	"fmt"
	"iter"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
)

// The sequence orders the events of all campaigns, though not as strictly as watu's: it has
// holes, and is not the order of commits. To have it so, the steps would have to wait for
// one another.
const postgresSchema = `
CREATE TABLE events (
	campaign uuid NOT NULL,
	number   bigint NOT NULL,
	sequence bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
	bytes    bytea NOT NULL,
	PRIMARY KEY (campaign, number)
);
CREATE TABLE commands (
	campaign uuid NOT NULL,
	id       text NOT NULL,
	digest   bytea NOT NULL,
	first    bigint NOT NULL,
	count    int NOT NULL,
	answer   bytea NOT NULL,
	PRIMARY KEY (campaign, id)
);`

// The statements, prepared on each connection. An append is one statement, hence one round
// trip and one transaction; a command that is known, or a number that is taken, fails it as a
// whole. It is as fast as the same with a list of VALUES, and faster than a function in the
// server and than a pipelined batch of several statements.
const (
	appendStep = `
WITH command AS (INSERT INTO commands VALUES ($1, $2, $3, $4, $5, $6))
INSERT INTO events (campaign, number, bytes)
SELECT $1, $4 + place - 1, bytes FROM unnest($7::bytea[]) WITH ORDINALITY AS list (bytes, place)`
	knowsCommand = `SELECT EXISTS (SELECT FROM commands WHERE campaign = $1 AND id = $2)`
	readEvents   = `SELECT bytes FROM events WHERE campaign = $1 AND number >= $2 AND number < $3 ORDER BY number`
)

// postgres keeps the record in a Postgres server, a connection for each campaign.
type postgres struct {
	conns   []*pgx.Conn
	reading chan *pgx.Conn // those that nobody reads with
}

func openPostgres(s *server, connections int) (*postgres, error) {
	ctx := context.Background()
	p := &postgres{reading: make(chan *pgx.Conn, connections)}
	for range connections {
		conn, err := s.connect(ctx)
		if err != nil {
			return nil, errors.Join(err, p.close())
		}
		p.conns = append(p.conns, conn)
		p.reading <- conn
	}
	if _, err := p.conns[0].Exec(ctx, postgresSchema); err != nil {
		return nil, errors.Join(err, p.close())
	}
	for _, conn := range p.conns {
		for _, sql := range []string{appendStep, knowsCommand, readEvents} {
			if _, err := conn.Prepare(ctx, sql, sql); err != nil {
				return nil, errors.Join(err, p.close())
			}
		}
	}
	return p, nil
}

func (p *postgres) append(campaign int, s *step) (known bool, err error) {
	const uniqueViolation = "23505"
	ctx, conn, id := context.Background(), p.conns[campaign], [16]byte(s.Campaign)
	_, err = conn.Exec(ctx, appendStep, id, s.Command, s.Digest[:], int64(s.Expected), len(s.stored), s.Answer,
		s.stored)
	if refused := (*pgconn.PgError)(nil); !errors.As(err, &refused) || refused.Code != uniqueViolation {
		return false, err
	}
	if failed := conn.QueryRow(ctx, knowsCommand, id, s.Command).Scan(&known); failed != nil || known {
		return known, failed
	}
	return false, err
}

// settle has nothing to wait for: nothing is published.
func (p *postgres) settle() error { return nil }

func (p *postgres) Read(campaign ulid.ULID, from, to uint64) iter.Seq2[events.Record, error] {
	return func(yield func(events.Record, error) bool) {
		conn := <-p.reading
		defer func() { p.reading <- conn }()
		rows, err := conn.Query(context.Background(), readEvents, [16]byte(campaign), int64(from), int64(to))
		if err != nil {
			yield(events.Record{}, err)
			return
		}
		defer rows.Close()
		for i := from; rows.Next(); i++ { // the raw values are the bytes as they came, not copied
			if !yield(events.Record{Campaign: campaign, Index: i, Bytes: rows.RawValues()[0]}, nil) {
				return
			}
		}
		if err := rows.Err(); err != nil {
			yield(events.Record{}, err)
		}
	}
}

// rest does at once what a server in use does in the background: the map of rows that all may
// see, the planner's statistics, and the checkpoint.
func (p *postgres) rest() error {
	for _, sql := range []string{"VACUUM ANALYZE", "CHECKPOINT"} {
		if _, err := p.conns[0].Exec(context.Background(), sql); err != nil {
			return fmt.Errorf("%s: %w", sql, err)
		}
	}
	return nil
}

func (p *postgres) close() error {
	var errs []error
	for _, conn := range p.conns {
		errs = append(errs, conn.Close(context.Background()))
	}
	return errors.Join(errs...)
}
