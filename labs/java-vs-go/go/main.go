// Command string-service is the string service of go-kit's tutorial, with logging, metrics and a
// contract.
package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strconv"
	"sync"
	"syscall"
	"time"

	"github.com/go-kit/log"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

func main() {
	if err := serve(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func serve() error {
	registry := prometheus.NewRegistry()
	metrics := promhttp.HandlerFor(registry, promhttp.HandlerOpts{})
	server := &http.Server{
		Handler:           handler(registry, metrics),
		ReadHeaderTimeout: 10 * time.Second,
	}
	listener, err := net.Listen("tcp", ":"+environment("PORT", "8080"))
	if err != nil {
		return err
	}
	fmt.Println("listening on port", listener.Addr().(*net.TCPAddr).Port)

	stop, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	go func() {
		<-stop.Done()
		_ = server.Close()
	}()
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// handler asks the environment: GO_KIT=false leaves go-kit out, LOG_REQUESTS=true puts a line in
// the log for each request.
func handler(registry prometheus.Registerer, metrics http.Handler) http.Handler {
	logged := isSet("LOG_REQUESTS", "false")
	if !isSet("GO_KIT", "true") {
		svc := plainService(registry, logged)
		return newHandler(plainUppercase(svc), plainCount(svc), metrics)
	}
	svc := kitService(registry, logged)
	return newHandler(newServer(uppercaseEndpoint(svc)), newServer(countEndpoint(svc)), metrics)
}

func kitService(registry prometheus.Registerer, logged bool) StringService {
	var svc StringService = stringService{}
	if logged {
		svc = loggingMiddleware{kitLogger(environment("LOG_HANDLER", "console")), svc}
	}
	return instrumented(svc, registry)
}

// kitLogger is that of go-kit's examples, or the article's: straight on standard error, which has a
// lock of its own, and without a time.
func kitLogger(handler string) log.Logger {
	if handler == "article" {
		return log.NewLogfmtLogger(os.Stderr)
	}
	logger := log.NewLogfmtLogger(log.NewSyncWriter(os.Stderr))
	return log.With(logger, "ts", log.DefaultTimestamp, "level", "INFO")
}

func plainService(registry prometheus.Registerer, logged bool) StringService {
	var svc StringService = stringService{}
	if logged {
		svc = plainLogged{&sync.Mutex{}, svc}
	}
	requests, latency := vectors(registry)
	return plainMeasured{requests, latency, svc}
}

func isSet(name, otherwise string) bool {
	set, _ := strconv.ParseBool(environment(name, otherwise))
	return set
}

func environment(name, otherwise string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return otherwise
}
