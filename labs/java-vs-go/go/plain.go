package main

import (
	"net/http"
	"os"
	"strconv"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// What go-kit does here, done without it (GO_KIT=false): the difference is go-kit's own cost.

func plainUppercase(svc StringService) http.Handler {
	return plain(func(s string) any {
		v, err := svc.Uppercase(s)
		if err != nil {
			return uppercaseResponse{v, err.Error()}
		}
		return uppercaseResponse{v, ""}
	})
}

func plainCount(svc StringService) http.Handler {
	return plain(func(s string) any { return countResponse{svc.Count(s)} })
}

func plain(operation func(s string) any) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s, err := decodeString(r)
		if err != nil {
			encodeError(r.Context(), err, w)
			return
		}
		_ = writeJSON(w, http.StatusOK, operation(s))
	})
}

// plainMeasured counts the requests and times the work of each.
type plainMeasured struct {
	requests *prometheus.CounterVec
	latency  *prometheus.HistogramVec
	next     StringService
}

func (m plainMeasured) Uppercase(s string) (v string, err error) {
	begin := time.Now()
	v, err = m.next.Uppercase(s)
	m.record("uppercase", err, begin)
	return v, err
}

func (m plainMeasured) Count(s string) int {
	begin := time.Now()
	v := m.next.Count(s)
	m.record("count", nil, begin)
	return v
}

func (m plainMeasured) record(method string, err error, begin time.Time) {
	failed := strconv.FormatBool(err != nil)
	m.requests.WithLabelValues(method, failed).Inc()
	m.latency.WithLabelValues(method, failed).Observe(time.Since(begin).Seconds())
}

// plainLogged writes one line for each request, in one write.
type plainLogged struct {
	mutex *sync.Mutex
	next  StringService
}

func (l plainLogged) Uppercase(s string) (v string, err error) {
	begin := time.Now()
	v, err = l.next.Uppercase(s)
	failure := "null"
	if err != nil {
		failure = strconv.Quote(err.Error())
	}
	l.line("uppercase", s, strconv.Quote(v), failure, begin)
	return v, err
}

func (l plainLogged) Count(s string) int {
	begin := time.Now()
	v := l.next.Count(s)
	l.line("count", s, strconv.Itoa(v), "null", begin)
	return v
}

func (l plainLogged) line(method, input, output, failure string, begin time.Time) {
	line := make([]byte, 0, 192)
	line = append(line, "ts="...)
	line = time.Now().AppendFormat(line, time.RFC3339Nano)
	line = append(line, " level=INFO method="...)
	line = append(line, method...)
	line = append(line, " input="...)
	line = strconv.AppendQuote(line, input)
	line = append(line, " output="...)
	line = append(line, output...)
	line = append(line, " err="...)
	line = append(line, failure...)
	line = append(line, " took="...)
	line = append(line, time.Since(begin).String()...)
	line = append(line, '\n')
	l.mutex.Lock()
	defer l.mutex.Unlock()
	_, _ = os.Stderr.Write(line)
}
