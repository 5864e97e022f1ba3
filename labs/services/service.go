// Package services starts the labs' services for tests, each on a port of its own, and ends them
// again.
package services

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"syscall"
	"time"
)

// Recipe is how a service is started.
type Recipe struct {
	Name    string
	Command []string
	// Port is the variable that tells it its port: PORT, SERVER_PORT, QUARKUS_HTTP_PORT.
	Port string
	// Ready is the path that answers 2xx as soon as it takes requests.
	Ready       string
	Environment []string
}

// Service runs.
type Service struct {
	Name    string
	URL     string
	recipe  Recipe
	process *exec.Cmd
	ended   chan struct{}
	output  *lockedBuffer
}

// Start does not wait until it is ready. The kernel ends the process with the thread that started
// it (PDEATHSIG), also when the test is killed or panics: so the caller keeps its thread
// (runtime.LockOSThread).
func Start(r Recipe) (*Service, error) {
	socket, port, err := reservePort()
	if err != nil {
		return nil, err
	}
	s := &Service{Name: r.Name, URL: fmt.Sprintf("http://127.0.0.1:%d", port), recipe: r, output: &lockedBuffer{}, ended: make(chan struct{})}
	s.process = exec.Command(r.Command[0], r.Command[1:]...)
	s.process.Env = append(append(os.Environ(), r.Environment...), r.Port+"="+strconv.Itoa(port))
	s.process.Stdout, s.process.Stderr = s.output, s.output
	s.process.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := s.process.Start(); err != nil {
		_ = syscall.Close(socket)
		return nil, fmt.Errorf("%s: %w; has it been built?", r.Name, err)
	}
	go func() {
		_ = s.process.Wait()
		_ = syscall.Close(socket)
		close(s.ended)
	}()
	return s, nil
}

// reservePort returns a port that nobody else is given while this socket is there. It never
// listens, so that the service can: servers of Go and of Java reuse addresses (SO_REUSEADDR).
func reservePort() (socket, port int, err error) {
	socket, err = syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		return 0, 0, err
	}
	address, err := bindAnywhere(socket)
	if err != nil {
		_ = syscall.Close(socket)
		return 0, 0, err
	}
	return socket, address.(*syscall.SockaddrInet4).Port, nil
}

func bindAnywhere(socket int) (syscall.Sockaddr, error) {
	if err := syscall.SetsockoptInt(socket, syscall.SOL_SOCKET, syscall.SO_REUSEADDR, 1); err != nil {
		return nil, err
	}
	if err := syscall.Bind(socket, &syscall.SockaddrInet4{}); err != nil {
		return nil, err
	}
	return syscall.Getsockname(socket)
}

// AwaitReady waits for a first good answer. Waits are counted, so that a machine that stands still
// for a while is not held against the service.
func (s *Service) AwaitReady() error {
	const pause = 20 * time.Millisecond
	for range int(3 * time.Minute / pause) {
		select {
		case <-s.ended:
			return fmt.Errorf("%s ended by itself:\n%s", s.Name, s.output)
		case <-time.After(pause):
		}
		if response, err := http.Get(s.URL + s.recipe.Ready); err == nil {
			_ = response.Body.Close()
			if response.StatusCode/100 == 2 {
				return nil
			}
		}
	}
	return fmt.Errorf("%s is not ready after minutes:\n%s", s.Name, s.output)
}

// Output is what it has printed until now.
func (s *Service) Output() string { return s.output.String() }

// Stop asks politely and then does not. After it all output is there. It returns how the process
// ended.
func (s *Service) Stop() string {
	_ = s.process.Process.Signal(syscall.SIGTERM)
	select {
	case <-s.ended:
	case <-time.After(20 * time.Second):
		_ = s.process.Process.Kill()
		<-s.ended
	}
	return s.process.ProcessState.String()
}

// lockedBuffer is written by the process and read by the test.
type lockedBuffer struct {
	mutex sync.Mutex
	bytes bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return b.bytes.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	return b.bytes.String()
}
