package main

import (
	"strconv"
	"time"

	"github.com/go-kit/kit/metrics"
	kitprometheus "github.com/go-kit/kit/metrics/prometheus"
	"github.com/prometheus/client_golang/prometheus"
)

// instrumentingMiddleware counts the requests and times the work of each.
type instrumentingMiddleware struct {
	requests metrics.Counter
	latency  metrics.Histogram
	next     StringService
}

func instrumented(next StringService, registry prometheus.Registerer) StringService {
	requests, latency := vectors(registry)
	return instrumentingMiddleware{kitprometheus.NewCounter(requests), kitprometheus.NewHistogram(latency), next}
}

func vectors(registry prometheus.Registerer) (*prometheus.CounterVec, *prometheus.HistogramVec) {
	labels := []string{"method", "error"}
	requests := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "string_service_requests_total",
		Help: "Requests that reached the service.",
	}, labels)
	latency := prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name:    "string_service_request_latency_seconds",
		Help:    "Time in the service.",
		Buckets: []float64{0.000_001, 0.000_01, 0.000_1, 0.001, 0.01, 0.1, 1},
	}, labels)
	registry.MustRegister(requests, latency)
	return requests, latency
}

func (mw instrumentingMiddleware) Uppercase(s string) (v string, err error) {
	defer func(begin time.Time) { mw.record("uppercase", err, begin) }(time.Now())
	return mw.next.Uppercase(s)
}

func (mw instrumentingMiddleware) Count(s string) int {
	defer mw.record("count", nil, time.Now())
	return mw.next.Count(s)
}

func (mw instrumentingMiddleware) record(method string, err error, begin time.Time) {
	labels := []string{"method", method, "error", strconv.FormatBool(err != nil)}
	mw.requests.With(labels...).Add(1)
	mw.latency.With(labels...).Observe(time.Since(begin).Seconds())
}
