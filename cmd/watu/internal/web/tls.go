package web

import (
	"crypto/tls"

	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
)

// tls reads certificate and key; nil where there are none.
func (o Options) tls() (*tls.Config, error) {
	if o.Certificate == "" && o.Key == "" {
		return nil, nil
	}
	pair, err := tls.LoadX509KeyPair(o.Certificate, o.Key)
	if err != nil { // it names the file, or says that the two do not fit
		return nil, &problem.Problem{Kind: problem.Input, Message: "--tls-cert and --tls-key: " + err.Error()}
	}
	return &tls.Config{MinVersion: tls.VersionTLS12, Certificates: []tls.Certificate{pair}}, nil
}
