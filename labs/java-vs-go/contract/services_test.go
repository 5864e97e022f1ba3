package contract

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"tacho/labs/services"
)

// recipes are all implementations; with NATIVE, the name of a folder, also the native images in it.
func recipes() []services.Recipe {
	java := os.Getenv("JAVA")
	if java == "" {
		java = "java"
	}
	lab, err := filepath.Abs("..")
	if err != nil {
		panic(err)
	}
	all := []services.Recipe{
		recipe("go", filepath.Join(lab, "go/bin/string-service")),
		recipe("go-nethttp", filepath.Join(lab, "go/bin/string-service")),
		recipe("helidon", java, "-jar", filepath.Join(lab, "helidon/target/helidon.jar")),
		recipe("helidon2", java, "-jar", filepath.Join(lab, "helidon2/target/helidon2.jar")),
		recipe("jaxrs", java, "-jar", filepath.Join(lab, "jaxrs/target/jaxrs.jar")),
	}
	if images := os.Getenv("NATIVE"); images != "" {
		for _, name := range []string{"helidon", "jaxrs"} {
			all = append(all, recipe(name+"-native", filepath.Join(images, name)))
		}
	}
	return all
}

func recipe(name string, command ...string) services.Recipe {
	environment := []string{"LOG_REQUESTS=false"}
	if name == "go-nethttp" {
		environment = append(environment, "GO_KIT=false")
	}
	return services.Recipe{Name: name, Command: command, Port: "PORT", Ready: "/health", Environment: environment}
}

// service is one implementation that runs.
type service struct{ *services.Service }

// running are started once for all tests.
var running []service

// TestMain keeps the main thread to itself: the services end with it.
func TestMain(m *testing.M) {
	runtime.LockOSThread()
	os.Exit(runWithServices(m))
}

func runWithServices(m *testing.M) int {
	for _, recipe := range recipes() {
		s, err := services.Start(recipe)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer s.Stop()
		running = append(running, service{s})
	}
	for _, s := range running {
		if err := s.AwaitReady(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
	}
	return m.Run()
}
