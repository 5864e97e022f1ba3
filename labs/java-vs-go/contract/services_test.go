package contract

import (
	"bytes"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"
)

// recipe is how one implementation is started.
type recipe struct {
	name    string
	command []string
}

func recipes() []recipe {
	java := os.Getenv("JAVA")
	if java == "" {
		java = "java"
	}
	lab, err := filepath.Abs("..")
	if err != nil {
		panic(err)
	}
	return []recipe{
		{"go", []string{filepath.Join(lab, "go/bin/string-service")}},
		{"helidon", []string{java, "-jar", filepath.Join(lab, "helidon/target/helidon.jar")}},
		{"jaxrs", []string{java, "-jar", filepath.Join(lab, "jaxrs/target/jaxrs.jar")}},
	}
}

// service is one implementation that runs, on a port of its own.
type service struct {
	name    string
	url     string
	process *exec.Cmd
	ended   chan struct{}
	output  *lockedBuffer
}

// services are started once for all tests.
var services []*service

// TestMain keeps the main thread to itself: the services are its children, and the kernel ends them with the thread
// that started them (PDEATHSIG), also when the test is killed or panics.
func TestMain(m *testing.M) {
	runtime.LockOSThread()
	os.Exit(runWithServices(m))
}

func runWithServices(m *testing.M) int {
	for _, recipe := range recipes() {
		s, err := start(recipe)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer s.stop()
		services = append(services, s)
	}
	for _, s := range services {
		if err := s.awaitReady(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
	}
	return m.Run()
}

func start(r recipe, environment ...string) (*service, error) {
	port, err := freePort()
	if err != nil {
		return nil, err
	}
	s := &service{name: r.name, url: fmt.Sprintf("http://127.0.0.1:%d", port), output: &lockedBuffer{}, ended: make(chan struct{})}
	s.process = exec.Command(r.command[0], r.command[1:]...)
	s.process.Env = append(append(os.Environ(), "LOG_REQUESTS=false", "PORT="+strconv.Itoa(port)), environment...)
	s.process.Stdout, s.process.Stderr = s.output, s.output
	s.process.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := s.process.Start(); err != nil {
		return nil, fmt.Errorf("%s: %w; has it been built (make build)?", r.name, err)
	}
	go func() {
		_ = s.process.Wait()
		close(s.ended)
	}()
	return s, nil
}

func freePort() (int, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer func() { _ = listener.Close() }()
	return listener.Addr().(*net.TCPAddr).Port, nil
}

func (s *service) awaitReady() error {
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		select {
		case <-s.ended:
			return fmt.Errorf("%s ended by itself:\n%s", s.name, s.output)
		default:
		}
		if response, err := http.Get(s.url + "/health"); err == nil {
			_ = response.Body.Close()
			if response.StatusCode == http.StatusOK {
				return nil
			}
		}
	}
	return fmt.Errorf("%s is not ready after a minute:\n%s", s.name, s.output)
}

// stop asks politely and then does not.
func (s *service) stop() {
	_ = s.process.Process.Signal(syscall.SIGTERM)
	select {
	case <-s.ended:
	case <-time.After(5 * time.Second):
		_ = s.process.Process.Kill()
		<-s.ended
	}
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
