package replay

// branch goes on from the head of a campaign, beside the record.
type branch struct {
	*timeline
	maker eventMaker
}

// branch begins a branch with what comes first in a step.
func (u *Umpire) branch(t *liveCampaign, lead []part) (*branch, error) {
	c := t.campaign
	maker := eventMaker{umpire: u, live: t, game: c.Game, index: c.Next, previous: c.Head, epoch: c.Epoch}
	b := &branch{timeline: t.timeline.fork(), maker: maker}
	for _, x := range lead {
		if err := b.add(x); err != nil {
			return nil, err
		}
	}
	return b, nil
}

// next is the index of the next event.
func (b *branch) next() uint64 { return b.maker.index }

// add appends a part.
func (b *branch) add(x part) error {
	made := len(b.maker.made)
	if err := b.maker.part(x); err != nil {
		return err
	}
	for _, m := range b.maker.made[made:] {
		b.index.Add(m.Event())
		b.more = append(b.more, *m.Event())
	}
	return nil
}
