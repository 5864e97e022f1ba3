// The activator stands in for what scales a service to zero: it holds the first request, starts the
// service for it, and passes the request on once the service accepts connections.
//
//	activator PORT COMMAND [ARGUMENT...]
//
// It listens on PORT; the service is told another one (PORT + 1) in SERVER_PORT and PORT. How long
// the start took is written to standard error. It starts the service once: to zero again it comes
// when it is ended, and the service with it.
package main

import (
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"strconv"
	"sync"
	"syscall"
	"time"
)

// Between two tries to connect to a service that is starting. Tries cost the service nothing: the
// kernel refuses them.
const retry = time.Millisecond

func main() {
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "usage: activator PORT COMMAND [ARGUMENT...]")
		os.Exit(2)
	}
	port, err := strconv.Atoi(os.Args[1])
	if err != nil || port < 1 || port > 65534 {
		fmt.Fprintf(os.Stderr, "activator: %q is no port below 65535\n", os.Args[1])
		os.Exit(2)
	}
	listener, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
	if err != nil {
		fmt.Fprintln(os.Stderr, "activator:", err)
		os.Exit(1)
	}
	service := &service{command: os.Args[2:], port: port + 1}
	ended := make(chan os.Signal, 1)
	signal.Notify(ended, syscall.SIGTERM, syscall.SIGINT)
	go func() {
		<-ended
		_ = listener.Close()
	}()
	for {
		connection, err := listener.Accept()
		if err != nil {
			break
		}
		go service.serve(connection)
	}
	service.end()
}

// service is started by the first request.
type service struct {
	command []string
	port    int
	once    sync.Once
	process *exec.Cmd
	exited  chan struct{}
	failed  error
}

// serve passes on what one client and the service say to each other.
func (s *service) serve(client net.Conn) {
	defer client.Close()
	// A client that connects and sends nothing only checks that somebody listens: no service needed.
	first := make([]byte, 4096)
	length, err := client.Read(first)
	if err != nil {
		return
	}
	s.once.Do(s.start)
	if s.failed != nil {
		return
	}
	upstream, err := net.Dial("tcp", s.address())
	if err != nil {
		fmt.Fprintln(os.Stderr, "activator:", err)
		return
	}
	defer upstream.Close()
	if _, err := upstream.Write(first[:length]); err != nil {
		return
	}
	answered := make(chan struct{})
	go func() {
		_, _ = io.Copy(client, upstream)
		close(answered)
	}()
	_, _ = io.Copy(upstream, client)
	_ = upstream.(*net.TCPConn).CloseWrite()
	<-answered
}

func (s *service) address() string {
	return fmt.Sprintf("127.0.0.1:%d", s.port)
}

// start returns when the service accepts connections, or has ended.
func (s *service) start() {
	began := time.Now()
	s.process = exec.Command(s.command[0], s.command[1:]...)
	told := strconv.Itoa(s.port)
	s.process.Env = append(os.Environ(), "SERVER_PORT="+told, "PORT="+told)
	s.process.Stdout, s.process.Stderr = os.Stdout, os.Stderr
	// The kernel ends the service with the thread that started it, also when this is killed.
	s.process.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	s.exited = make(chan struct{})
	started := make(chan error)
	go func() {
		// Kept for as long as the service lives.
		runtime.LockOSThread()
		err := s.process.Start()
		started <- err
		if err == nil {
			_ = s.process.Wait()
			close(s.exited)
		}
	}()
	if s.failed = <-started; s.failed != nil {
		fmt.Fprintln(os.Stderr, "activator:", s.failed)
		return
	}
	for {
		probe, err := net.Dial("tcp", s.address())
		if err == nil {
			_ = probe.Close()
			fmt.Fprintf(os.Stderr, "activator: the service took %d ms to listen\n", time.Since(began).Milliseconds())
			return
		}
		select {
		case <-s.exited:
			s.failed = fmt.Errorf("the service has ended before it listened")
			fmt.Fprintln(os.Stderr, "activator:", s.failed)
			return
		case <-time.After(retry):
		}
	}
}

func (s *service) end() {
	if s.process == nil || s.process.Process == nil {
		return
	}
	_ = s.process.Process.Signal(syscall.SIGTERM)
	select {
	case <-s.exited:
	case <-time.After(5 * time.Second):
		_ = s.process.Process.Kill()
		<-s.exited
	}
}
