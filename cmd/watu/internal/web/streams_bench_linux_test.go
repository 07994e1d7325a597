package web_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net"
	"os"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/cmd/watu/internal/web"
	"github.com/watu-ledger/watu/fixtures"
)

var (
	benchReaders = flag.String("readers", "1000,5000,10000", "how many follow /live, one measurement each")
	benchSeconds = flag.Int("seconds", 20, "how long events come")
	benchFollow  = flag.String("follow", "", "follow this server's /live, as the benchmark's child does")
)

// BenchmarkStreams has an umpire enter ten events a second while readers follow /live over loopback. It says how long
// after an entry was handed in each reader has its event, and what the readers cost the server: memory for each,
// cores, processor time for each event that one has; and how busy the machine is. The readers are a process of their
// own on the same processors, one thread that asks the system which of them has something to read.
func BenchmarkStreams(b *testing.B) {
	if *benchFollow != "" {
		follow(b)
		return
	}
	g := seatWith(b, web.Options{Limits: web.Limits{Connections: 1 << 20, Streams: 1 << 20, Rate: 1 << 20}})
	i := slices.IndexFunc(fixtures.Campaigns(), func(k fixtures.Campaign) bool { return k.Name == "straits-1942" })
	if err := g.play(b.Context(), fixtures.Campaigns()[i]); err != nil {
		b.Fatal(err)
	}
	g.enterIn(b, "{id: a dispute, dispute: {event: 5, by: Anna, claim: a benchmark}}")
	opened, err := g.service.Campaign("straits-1942")
	if err != nil {
		b.Fatal(err)
	}
	fmt.Printf("\n%8s %8s %8s %8s %8s %8s %12s %12s %12s   %s\n", "readers", "p50 ms", "p90", "p99", "max", "missed",
		"KiB a reader", "cores", "µs an event", "load")
	for b.Loop() {
		for _, n := range strings.Split(*benchReaders, ",") {
			g.followed(b, n, opened.Events-1)
		}
	}
}

// enterIn hands in an entry of the campaign that is followed.
func (g *ground) enterIn(b *testing.B, entry string) {
	b.Helper()
	var done service.Submitted
	s := service.Submission{Name: "turn.yaml", Text: entry, Entry: true}
	err := g.client.Post(b.Context(), s, &done, "campaigns", "straits-1942", "submissions")
	if err != nil || done.Problem != nil {
		b.Fatal(err, done.Problem)
	}
}

// arrived is what the readers saw.
type arrived struct {
	Times []float64 // in milliseconds, of every event at every reader
}

// followed lets readers in, enters events, and prints what came of it.
func (g *ground) followed(b *testing.B, readers string, dispute uint64) {
	b.Helper()
	debug.FreeOSMemory()
	before := rss()
	c, in, lines := readersIn(b, "^BenchmarkStreams$", "-follow", strings.TrimPrefix(g.url, "http://"), "-readers",
		readers)
	worked, began, sent := cpu(), time.Now(), 0
	long := time.Duration(*benchSeconds) * time.Second
	for tick := time.Tick(100 * time.Millisecond); time.Since(began) < long; sent++ {
		<-tick
		const entry = "{id: e%s-%d, statement: {dispute: %d, by: Anna, text: at @%d@}}"
		g.enterIn(b, fmt.Sprintf(entry, readers, time.Now().UnixNano(), dispute, time.Now().UnixNano()))
	}
	time.Sleep(2 * time.Second)
	took := time.Since(began).Seconds()
	worked = cpu() - worked
	held := rss() - before
	_ = in.Close()
	var a arrived
	for lines.Scan() {
		_ = json.Unmarshal(lines.Bytes(), &a)
	}
	_ = c.Wait()
	slices.Sort(a.Times)
	at := func(part float64) float64 { return a.Times[min(int(part*float64(len(a.Times))), len(a.Times)-1)] }
	n, _ := strconv.Atoi(readers)
	if len(a.Times) == 0 {
		b.Fatal("nobody had anything")
	}
	load, _ := os.ReadFile("/proc/loadavg")
	fmt.Printf("%8d %8.1f %8.1f %8.1f %8.1f %8d %12.1f %12.2f %12.1f   %s", n, at(.5), at(.9), at(.99), at(1),
		n*sent-len(a.Times), float64(held)/1024/float64(n), worked/took, 1e6*worked/float64(n*sent), load)
}

// cpu is the processor time that this process has had, in seconds.
func cpu() float64 {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}

// rss is the memory of this process, in bytes.
func rss() int {
	text, _ := os.ReadFile("/proc/self/statm")
	var size, resident int
	_, _ = fmt.Sscan(string(text), &size, &resident)
	return resident * os.Getpagesize()
}

// follow is the child: readers until its standard input ends.
func follow(b *testing.B) {
	n, err := strconv.Atoi(*benchReaders)
	if err != nil {
		b.Fatal(err)
	}
	poll, err := syscall.EpollCreate1(0)
	if err != nil {
		b.Fatal(err)
	}
	host, port, _ := net.SplitHostPort(*benchFollow)
	to := syscall.SockaddrInet4{Addr: [4]byte(net.ParseIP(host).To4())}
	to.Port, _ = strconv.Atoi(port)
	for range n {
		fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
		if err == nil {
			err = syscall.Connect(fd, &to)
		}
		if err == nil {
			_, err = syscall.Write(fd, []byte("GET /live HTTP/1.1\r\nHost: "+*benchFollow+"\r\n\r\n"))
		}
		if err == nil {
			err = syscall.EpollCtl(poll, syscall.EPOLL_CTL_ADD, fd, &syscall.EpollEvent{Events: syscall.EPOLLIN,
				Fd: int32(fd)})
		}
		if err != nil {
			b.Fatal(err)
		}
	}
	done := make(chan bool)
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		close(done)
	}()
	a := read(poll, n, done)
	out, _ := json.Marshal(a)
	fmt.Println("\n" + string(out))
}

// read reads what comes until it is done, and says when all readers know where they stand.
func read(poll, n int, done chan bool) (a arrived) {
	heads := 0
	ready, data := make([]syscall.EpollEvent, 512), make([]byte, 64<<10)
	for {
		select {
		case <-done:
			return a
		default:
		}
		some, _ := syscall.EpollWait(poll, ready, 100)
		for _, e := range ready[:max(some, 0)] {
			size, _ := syscall.Read(int(e.Fd), data)
			now, text := time.Now().UnixNano(), data[:max(size, 0)]
			if heads < n && bytes.Contains(text, []byte("event: head")) {
				if heads++; heads == n {
					fmt.Println("\nreading")
				}
			}
			for {
				_, rest, found := bytes.Cut(text, []byte("at @"))
				stamp, after, whole := bytes.Cut(rest, []byte("@"))
				if !found || !whole {
					break
				}
				if sent, err := strconv.ParseInt(string(stamp), 10, 64); err == nil {
					a.Times = append(a.Times, float64(now-sent)/1e6)
				}
				text = after
			}
		}
	}
}
