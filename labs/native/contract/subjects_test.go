package contract

import (
	"net/url"
	"os"
	"path/filepath"
	"testing"
)

// subject is a service, how its two builds are started, and what it is asked.
type subject struct {
	name, port, ready string
	jvm, native       []string
	asks              []ask
}

// subjects are the services of the labs. The images are in the folder that NATIVE names; with
// NATIVE=jvm the JVM builds are compared with themselves, which shows that what is left of an
// answer does not differ from launch to launch.
func subjects(t *testing.T) []subject {
	java := os.Getenv("JAVA")
	if java == "" {
		java = "java"
	}
	images := os.Getenv("NATIVE")
	if images == "" {
		images = path(t, "native/target/images")
	}
	jar := func(parts ...string) []string { return []string{java, "-jar", path(t, parts...)} }
	image := func(name string) []string { return []string{filepath.Join(images, name)} }
	all := []subject{
		{
			name: "boot-web", port: "SERVER_PORT", ready: "/ping",
			jvm: jar("cold-start/service/target/service.jar"), native: image("boot-web"),
			asks: []ask{
				get("/ping", 200),
				get("/ping?x=1", 200),
				get("/ping", 200).with("Accept", "image/png"),
				get("/nowhere", 404),
				get("/nowhere", 404).with("Accept", "text/html"),
				post("/ping", "text/plain", "x", 405),
				{method: "HEAD", path: "/ping", status: 200},
				{method: "OPTIONS", path: "/ping", status: 200},
			},
		},
		{
			name: "petclinic-like", port: "SERVER_PORT", ready: "/actuator/health",
			jvm: jar("unseen/petclinic-like/target/petclinic-like.jar"), native: image("petclinic-like"),
			asks: []ask{
				get("/", 200),
				get("/owners", 200),
				get("/owners/1", 200),
				get("/owners/5", 200),
				get("/owners/99", 404),
				get("/owners/x", 400),
				get("/owners", 406).with("Accept", "image/png"),
				get("/owners", 200).with("Accept", "application/json"),
				post("/owners", "application/json", "{}", 405),
				get("/nowhere", 404),
				get("/nowhere", 404).with("Accept", "text/html"),
				get("/actuator", 200),
				get("/actuator/health", 200),
				get("/actuator/health/liveness", 200),
				get("/actuator/health/readiness", 200),
				get("/actuator/metrics", 404),
			},
		},
		{
			name: "quarkus-rest", port: "QUARKUS_HTTP_PORT", ready: "/q/health/ready",
			jvm: jar("unseen/quarkus-rest/target/quarkus-app/quarkus-run.jar"), native: image("quarkus-rest"),
			asks: []ask{
				get("/hello", 200),
				get("/hello?name="+url.QueryEscape("grüße <&>\"\\"), 200),
				get("/hello?name=", 200),
				get("/hello", 200).with("Accept", "application/json"),
				get("/hello", 406).with("Accept", "image/png"),
				post("/hello", "application/json", "{}", 405),
				get("/nowhere", 404),
				get("/", 404),
				get("/q/health", 200),
				get("/q/health/live", 200),
				get("/q/health/ready", 200),
			},
		},
		{
			name: "helidon-se", port: "PORT", ready: "/observe/health",
			jvm: jar("unseen/helidon-se/target/helidon-se.jar"), native: image("helidon-se"),
			asks: []ask{
				get("/greet", 200),
				get("/greet/"+url.PathEscape("grüße & mehr"), 200),
				get("/greet/a/b", 404),
				get("/nowhere", 404),
				post("/greet", "text/plain", "x", 404),
				get("/observe/health", 204),
				get("/observe/health/live", 204),
				get("/observe/health/ready", 204),
			},
		},
		{
			name: "jaxrs", port: "PORT", ready: "/health",
			jvm: jar("java-vs-go/jaxrs/target/jaxrs.jar"), native: image("jaxrs"),
			asks: []ask{
				get("/health", 200),
				post("/uppercase", "application/json", `{"s":"grüße"}`, 200),
				post("/uppercase", "application/json", `{"s":""}`, 200),
				post("/count", "application/json", `{"s":"👍🏽"}`, 200),
				post("/count", "application/json", `{"s":5}`, 400),
				post("/count", "application/json", `nonsense`, 400),
				post("/count", "text/plain", `{"s":"a"}`, 415),
				get("/count", 405),
				get("/nowhere", 404),
				{method: "OPTIONS", path: "/count", status: 200},
				{method: "HEAD", path: "/health", status: 200},
			},
		},
	}
	if images == "jvm" {
		for i := range all {
			all[i].native = all[i].jvm
		}
	}
	return all
}
