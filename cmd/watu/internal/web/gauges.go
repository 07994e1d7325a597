package web

import (
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"github.com/watu-ledger/watu/cmd/watu/internal/live"
	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
)

// gauges are the figures of /metrics. They tell of the host, and nothing of what is sealed.
type gauges struct {
	registry *prometheus.Registry
	steps    prometheus.Counter
	events   prometheus.Counter
	appends  prometheus.Histogram
	requests *prometheus.CounterVec
	took     *prometheus.HistogramVec
}

// syncs and answers are bounds of durations in seconds, around what a disk and a page take.
var (
	syncs   = prometheus.ExponentialBuckets(0.0005, 2, 14) // to 4 s
	answers = []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 10}
)

func gaugesOf(f *service.Service, feed *live.Feed) *gauges {
	g := &gauges{
		registry: prometheus.NewRegistry(),
		steps: prometheus.NewCounter(prometheus.CounterOpts{Name: "watu_steps_appended_total",
			Help: "Steps made durable since the start."}),
		events: prometheus.NewCounter(prometheus.CounterOpts{Name: "watu_events_appended_total",
			Help: "Events made durable since the start."}),
		appends: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "watu_append_seconds", Help: "How long the caller of a step waited until it was durable.",
			Buckets: syncs,
		}),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "watu_http_requests_total", Help: "Requests answered, by pattern of the path. A stream is one " +
				"when it ends.",
		}, []string{"route", "method", "status"}),
		took: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "watu_http_request_seconds", Help: "How long requests took, without streams.", Buckets: answers,
		}, []string{"route"}),
	}
	g.registry.MustRegister(g.steps, g.events, g.appends, g.requests, g.took, collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	f.OnAppend(func(events int, took time.Duration) {
		g.steps.Inc()
		g.events.Add(float64(events))
		g.appends.Observe(took.Seconds())
	})
	g.ofRecord(f)
	g.ofStreams(feed)
	return g
}

func (g *gauges) gauge(name, help string, value func() float64) {
	g.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, value))
}

func (g *gauges) counter(name, help string, value func() float64) {
	g.registry.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{Name: name, Help: help}, value))
}

// ofRecord are the figures of the record, and of what is made from it.
func (g *gauges) ofRecord(f *service.Service) {
	g.gauge("watu_events_durable", "Events in the record.", func() float64 { return float64(f.Health().Durable) })
	g.gauge("watu_events_unpublished", "Events in the record that the stream has not; 0 for a ledger that "+
		"publishes nothing.", func() float64 {
		return float64(unpublished(f.Health()))
	})
	g.gauge("watu_stream_trouble", "1 while nothing is published, or copied by a follower; else 0.", func() float64 {
		return flag(f.Health().Trouble != "")
	})
	g.gauge("watu_steps_stopped", "1 while no steps are taken, because the lease of the ledger has lapsed or is "+
		"lost; else 0.", func() float64 { return flag(f.Health().Stopped != nil) })
	g.gauge("watu_views_behind_events", "Events in the record that some view has not seen.", func() float64 {
		return float64(unseen(f.Health()))
	})
	g.gauge("watu_checkpoint_age_seconds", "For how long the checkpoint file has lacked something that is durable; 0 "+
		"if it lacks nothing.", func() float64 {
		return f.Health().CheckpointAge.Seconds()
	})
	g.gauge("watu_ledger_failed", "1 once the disk has refused for good; else 0.", func() float64 {
		return flag(f.Health().Failure != nil)
	})
}

// ofStreams are the figures of package live.
func (g *gauges) ofStreams(feed *live.Feed) {
	g.gauge("watu_live_readers", "Readers of the streams now.", func() float64 { return float64(feed.Stats().Readers) })
	g.gauge("watu_live_held_bytes", "Bytes of events held for the readers of the streams.", func() float64 {
		return float64(feed.Stats().Held)
	})
	g.counter("watu_live_frames_total", "Events made ready for the readers of the streams, once for all.",
		func() float64 { return float64(feed.Stats().Frames) })
	g.counter("watu_live_sent_total", "Events written to readers of the streams.", func() float64 {
		return float64(feed.Stats().Sent)
	})
	g.counter("watu_live_drops_total", "Readers dropped because they did not take what was written.", func() float64 {
		return float64(feed.Stats().Drops)
	})
}

// unpublished is by how much the stream is behind the record. It may have moved since the record was
// asked: it is never ahead.
func unpublished(v maintenance.Health) uint64 {
	if !v.Publishes {
		return 0
	}
	return v.Durable - min(v.Durable, v.Published)
}

// unseen is by how much the views are behind the record.
func unseen(v maintenance.Health) uint64 { return v.Durable - min(v.Durable, v.Views) }

func flag(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

// methodOf keeps what a stranger may send as a method from making figures of its own.
func methodOf(r *http.Request) string {
	switch r.Method {
	case http.MethodGet, http.MethodHead, http.MethodPost:
		return r.Method
	}
	return "other"
}
