// What `box check` runs in pods.
//
//	answer serve        answers on port 8080 with its version and host name
//	answer get URL      prints what an address answers, and tries for half a minute
//	answer index        prints which index of an Indexed Job it is
//	answer fill MB      takes that much memory and waits
//	answer version      prints its version
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"
)

func main() {
	command, argument := "", ""
	if len(os.Args) > 1 {
		command = os.Args[1]
	}
	if len(os.Args) > 2 {
		argument = os.Args[2]
	}
	var err error
	switch command {
	case "serve":
		err = serve()
	case "get":
		err = get(argument)
	case "index":
		fmt.Println("index", os.Getenv("JOB_COMPLETION_INDEX"))
	case "fill":
		err = fill(argument)
	case "version":
		fmt.Println(version())
	default:
		err = fmt.Errorf("what is %q? It is serve, get, index, fill or version", command)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "answer:", err)
		os.Exit(1)
	}
}

func version() string {
	if version := os.Getenv("VERSION"); version != "" {
		return version
	}
	return "none"
}

func serve() error {
	host, err := os.Hostname()
	if err != nil {
		return err
	}
	http.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintln(w, "version", version(), "from", host)
	})
	http.HandleFunc("/limits", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintln(w, limits())
	})
	server := &http.Server{Addr: ":8080", ReadHeaderTimeout: 5 * time.Second}
	ended := make(chan error, 1)
	go func() { ended <- server.ListenAndServe() }()

	told, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	select {
	case err := <-ended:
		return err
	case <-told.Done():
	}
	patience, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	return server.Shutdown(patience)
}

// limits is what the kernel holds this container to, by control groups of version 2 or 1.
func limits() string {
	memory := first("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")
	quota := first("/sys/fs/cgroup/cpu.max", "/sys/fs/cgroup/cpu/cpu.cfs_quota_us")
	return "memory " + memory + " cpu " + quota
}

func first(files ...string) string {
	for _, file := range files {
		if text, err := os.ReadFile(file); err == nil {
			return strings.TrimSpace(string(text))
		}
	}
	return "unknown"
}

// get tries again where a name or a Service is not yet known: the rules of a Service come up to two
// seconds after its pods are ready.
func get(address string) error {
	client := &http.Client{Timeout: 2 * time.Second}
	var err error
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(200 * time.Millisecond) {
		var body string
		if body, err = once(client, address); err == nil {
			fmt.Println("answered:", body)
			return nil
		}
	}
	return err
}

func once(client *http.Client, address string) (string, error) {
	response, err := client.Get(address)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, 1<<16))
	if err != nil {
		return "", err
	}
	if response.StatusCode != http.StatusOK {
		return "", errors.New(response.Status)
	}
	return strings.TrimSpace(string(body)), nil
}

func fill(megabytes string) error {
	count, err := strconv.Atoi(megabytes)
	if err != nil || count < 1 {
		return fmt.Errorf("%q is no number of megabytes", megabytes)
	}
	memory := make([]byte, count<<20)
	for i := 0; i < len(memory); i += 4096 {
		memory[i] = 1
	}
	fmt.Println("has", len(memory)>>20, "MB")
	time.Sleep(time.Minute)
	return nil
}
