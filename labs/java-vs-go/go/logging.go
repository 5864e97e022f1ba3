package main

import (
	"time"

	"github.com/go-kit/log"
)

// loggingMiddleware writes one line for each request.
type loggingMiddleware struct {
	logger log.Logger
	next   StringService
}

func (mw loggingMiddleware) Uppercase(s string) (v string, err error) {
	defer func(begin time.Time) {
		_ = mw.logger.Log("method", "uppercase", "input", s, "output", v, "err", err, "took", time.Since(begin))
	}(time.Now())
	return mw.next.Uppercase(s)
}

func (mw loggingMiddleware) Count(s string) (v int) {
	defer func(begin time.Time) {
		_ = mw.logger.Log("method", "count", "input", s, "output", v, "err", nil, "took", time.Since(begin))
	}(time.Now())
	return mw.next.Count(s)
}
