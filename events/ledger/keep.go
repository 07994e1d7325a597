package ledger

import (
	"context"
	"errors"
	"time"
)

// checkpointEvery keeps the file younger than a second, the time of its writing included.
const checkpointEvery = 900 * time.Millisecond

// lookEvery is how soon it is seen that the directory of an idle ledger is gone.
const lookEvery = 2 * time.Second

// keeping is the keeping of the file CHECKPOINT.
type keeping struct {
	every    time.Duration
	promised uint64 // sequence of the file, guarded by published

	// since when something durable is not in the file, zero if nothing is; guarded by published
	unwritten time.Time // that nobody is writing
	writing   time.Time // that is being written
}

// Checkpointed is the sequence of the checkpoint file, 0 if there is none yet. While it is
// behind [Ledger.Durable] the file lacks what came after, and is about to be replaced.
func (l *Ledger) Checkpointed() uint64 {
	l.published.Lock()
	defer l.published.Unlock()
	return l.kept.promised
}

// CheckpointAge is for how long the checkpoint file has lacked something that is durable, 0 if
// it lacks nothing. More than a second or two means that it cannot be written: the ledger
// goes on and tries again, and Options.Logf has heard why.
func (l *Ledger) CheckpointAge() time.Duration {
	l.published.Lock()
	defer l.published.Unlock()
	since := l.kept.writing
	if since.IsZero() {
		since = l.kept.unwritten
	}
	if since.IsZero() {
		return 0
	}
	return time.Since(since)
}

// keep writes the checkpoint soon after something became durable, until the ledger ends. It
// holds nothing that an append waits for.
func (l *Ledger) keep() {
	text := ""
	for {
		if !l.moves() {
			return
		}
		next := time.NewTimer(l.kept.every)
		text = l.writeAndSay(text)
		select {
		case <-next.C:
		case <-l.ending:
			next.Stop()
			return
		case <-l.failed:
			next.Stop()
			return
		}
	}
}

// moves waits until something is durable that no checkpoint has. Meanwhile it looks after the directory: whether
// it is there matters to who reads as well. False once the ledger ends.
func (l *Ledger) moves() bool {
	for {
		ctx, cancel := context.WithTimeout(l.life, lookEvery)
		_, err := l.Wait(ctx, l.Checkpointed())
		cancel()
		if err == nil {
			return true
		}
		if !errors.Is(err, context.DeadlineExceeded) || l.failIfGone() {
			return false
		}
	}
}

// failIfGone fails the ledger if its directory is gone.
func (l *Ledger) failIfGone() bool {
	gone := l.dir.gone()
	if gone {
		l.fail(refusal(l.dir.path, ErrGone))
	}
	return gone
}

// writeAndSay writes the checkpoint. It reports a trouble to Options.Logf once, however often it
// comes, and of its end.
func (l *Ledger) writeAndSay(text string) string {
	if l.failIfGone() {
		return text
	}
	err := l.writeCheckpoint()
	switch {
	case err == nil && text != "":
		l.opts.Logf("checkpoint: written again")
		return ""
	case err != nil && text != err.Error():
		l.opts.Logf("checkpoint: cannot be written, trying again: %v", err)
		return err.Error()
	}
	return text
}

// writeCheckpoint replaces the file by what is durable now. One goroutine at a time does it.
func (l *Ledger) writeCheckpoint() error {
	l.published.Lock()
	c := l.checkpoint()
	l.kept.writing, l.kept.unwritten = l.kept.unwritten, time.Time{}
	l.published.Unlock()

	err := l.dir.replace(nameCheckpoint, c.text())

	l.published.Lock()
	defer l.published.Unlock()
	if err == nil {
		l.kept.promised = c.Sequence
	} else if !l.kept.writing.IsZero() {
		l.kept.unwritten = l.kept.writing
	}
	l.kept.writing = time.Time{}
	return err
}

// startKeeping begins to keep the checkpoint of a record that is whole.
func (l *Ledger) startKeeping() {
	l.published.Lock()
	if l.Durable() > l.kept.promised && l.kept.unwritten.IsZero() {
		l.kept.unwritten = time.Now()
	}
	l.published.Unlock()
	l.keepers.Go(l.keep)
}

// endKeeping waits for the keeper, and writes what it has not.
func (l *Ledger) endKeeping() error {
	l.keepers.Wait()
	if l.doubted() != nil || l.Checkpointed() >= l.Durable() {
		return nil
	}
	return l.writeCheckpoint()
}

// doubted is why the record is not to be trusted to be whole: nil, a *CheckpointError or an
// ErrCheckpoint.
func (l *Ledger) doubted() error {
	if err := l.doubt.Load(); err != nil {
		return *err
	}
	return nil
}

// Behind is why a ledger that was opened with Options.Repairing takes no steps yet: a
// [*CheckpointError], which says what is still missing, or an [ErrCheckpoint]. It is nil for
// a ledger that is whole.
func (l *Ledger) Behind() error { return l.doubted() }

// settle looks again whether a record under repair has reached its checkpoint. The caller
// holds adopting.
func (l *Ledger) settle() error {
	if l.doubted() == nil || l.promise == nil {
		return nil
	}
	err := l.compare(l.promise)
	var behind *CheckpointError
	if errors.As(err, &behind) {
		err = behind
		l.doubt.Store(&err)
		return nil
	}
	if err == nil {
		l.trust()
	}
	return err
}

// trust ends a repair.
func (l *Ledger) trust() {
	l.promise = nil
	l.startKeeping() // before Close can see that there is a keeper to wait for
	l.doubt.Store(nil)
}

// AcceptLoss gives up, on purpose and for good, what the checkpoint says and the record lacks:
// it writes a checkpoint of what there is and returns what is missing. From then on the ledger
// takes steps, which come in the place of what was lost. It gives nil for a ledger that is
// whole, and where CHECKPOINT cannot be read, so that nobody knows what is missing.
func (l *Ledger) AcceptLoss() (*CheckpointError, error) {
	if err := l.enter(); err != nil {
		return nil, err
	}
	defer l.leave()
	l.adopting.Lock()
	defer l.adopting.Unlock()
	doubt := l.doubted()
	if doubt == nil {
		return nil, nil
	}
	if err := l.writeCheckpoint(); err != nil {
		return nil, err
	}
	var missing *CheckpointError
	errors.As(doubt, &missing)
	l.trust()
	return missing, nil
}
