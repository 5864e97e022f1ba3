package main

import (
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestMain is the service when the test starts itself as one.
func TestMain(m *testing.M) {
	if os.Getenv("BE_THE_SERVICE") != "" {
		// A service takes its time.
		time.Sleep(200 * time.Millisecond)
		http.HandleFunc("/ping", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "pong") })
		_ = http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), nil)
		return
	}
	if os.Getenv("BE_THE_ACTIVATOR") != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// twoFreePorts gives the first of them. They are below those that the kernel gives to connections
// (ip_local_port_range begins at 32768): what else the machine does takes none of them meanwhile.
func twoFreePorts(t *testing.T) int {
	t.Helper()
	for range 100 {
		port := 12000 + 2*rand.IntN(1500)
		first, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
		if err != nil {
			continue
		}
		second, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port+1))
		_ = first.Close()
		if err == nil {
			_ = second.Close()
			return port
		}
	}
	t.Fatal("no two ports are free")
	return 0
}

// activator starts this test as an activator of the service that it is as well.
func activator(t *testing.T, command ...string) (string, *exec.Cmd) {
	t.Helper()
	port := twoFreePorts(t)
	process := exec.Command(os.Args[0], append([]string{strconv.Itoa(port)}, command...)...)
	process.Env = append(os.Environ(), "BE_THE_ACTIVATOR=1")
	process.Stderr = os.Stderr
	if err := process.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = process.Process.Signal(syscall.SIGTERM)
		_ = process.Wait()
	})
	address := "127.0.0.1:" + strconv.Itoa(port)
	for begin := time.Now(); time.Since(begin) < 30*time.Second; time.Sleep(5 * time.Millisecond) {
		if probe, err := net.Dial("tcp", address); err == nil {
			_ = probe.Close()
			return address, process
		}
	}
	t.Fatal("the activator does not listen")
	return "", nil
}

func TestTheFirstRequestIsHeldUntilTheServiceAnswersIt(t *testing.T) {
	address, process := activator(t, "env", "BE_THE_ACTIVATOR=", "BE_THE_SERVICE=1", os.Args[0])
	for range 3 {
		answer, err := http.Get("http://" + address + "/ping")
		if err != nil {
			t.Fatal(err)
		}
		text, _ := io.ReadAll(answer.Body)
		_ = answer.Body.Close()
		if string(text) != "pong" {
			t.Fatalf("%s", text)
		}
	}
	_ = process.Process.Signal(syscall.SIGTERM)
	if err := process.Wait(); err != nil {
		t.Fatal(err)
	}
	if _, err := net.Dial("tcp", address); err == nil {
		t.Fatal("it is still there")
	}
}

func TestAServiceThatEndsClosesTheConnection(t *testing.T) {
	address, _ := activator(t, "false")
	_, err := http.Get("http://" + address + "/ping")
	if err == nil || !strings.Contains(err.Error(), "EOF") && !strings.Contains(err.Error(), "reset") {
		t.Fatalf("%v", err)
	}
}
