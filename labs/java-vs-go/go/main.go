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
	server := &http.Server{
		Handler:           newHandler(newService(registry), promhttp.HandlerFor(registry, promhttp.HandlerOpts{})),
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

// newService asks the environment: LOG_REQUESTS=true puts a line in the log for each request.
func newService(registry prometheus.Registerer) StringService {
	var svc StringService = stringService{}
	if logged, _ := strconv.ParseBool(environment("LOG_REQUESTS", "false")); logged {
		logger := log.NewLogfmtLogger(log.NewSyncWriter(os.Stderr))
		svc = loggingMiddleware{log.With(logger, "ts", log.DefaultTimestamp, "level", "INFO"), svc}
	}
	return instrumented(svc, registry)
}

func environment(name, otherwise string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return otherwise
}
