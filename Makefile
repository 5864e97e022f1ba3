# The only two commands of the quick start are `make demo` and `make test`; both do all the set-up.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
TACHO := target/release/tacho
CARGO := cargo
# Maven's own JVM lives for seconds only: optimising with C2 would cost more time than it saves.
export MAVEN_OPTS ?= -XX:TieredStopAtLevel=1 -XX:+UseSerialGC

.PHONY: help
help: ## Show the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 22

.PHONY: prerequisites
prerequisites:
	@scripts/prerequisites --with-browser

# --- building -----------------------------------------------------------------------------------

web/node_modules/.package-lock.json: web/package.json web/package-lock.json
	cd web && npm ci --no-audit --no-fund --loglevel=error
	@touch $@

WEB_SOURCES := $(shell find web/src -type f 2>/dev/null)

web/dist/report.js: web/node_modules/.package-lock.json $(WEB_SOURCES)
	cd web && npm run --silent build

.PHONY: web
web: web/dist/report.js ## Build the report's charts

AGENT := jvm/agent/target/tacho-agent.jar
AGENT_SOURCES := $(shell find jvm/agent/src/main jvm/agent/pom.xml jvm/jfr-reader/src/main jvm/jfr-reader/pom.xml jvm/pom.xml -type f 2>/dev/null)

$(AGENT): $(AGENT_SOURCES)
	$(MAKE) -C jvm agent
	@touch $@

.PHONY: agent
agent: $(AGENT) ## Build the agent that looks into running JVMs, and the reader of recordings

.PHONY: build
build: prerequisites web agent ## Build Tacho (target/release/tacho)
	$(CARGO) build --release --locked -p tacho

.PHONY: dist
dist: prerequisites ## Build the releases for x86-64 and arm64 into dist/: archives, Debian packages, OCI images, SBOMs, checksums (scripts/dist --twice builds them again elsewhere and compares)
	scripts/dist

.PHONY: test-dist
test-dist: prerequisites ## Test the releases: two builds with the same bytes, the installation, a first verdict with only the archive and a JDK, the other machine under emulation (root; an hour on 2026-11-30, with other work beside it)
	scripts/dist --twice
	scripts/test-dist

.PHONY: labs
labs: prerequisites ## Build the services of all labs, and their native images where there is a native-image
	$(MAKE) -C labs build
	$(MAKE) -C labs images

# --- using --------------------------------------------------------------------------------------

.PHONY: demo
demo: build ## Run the cold-start lab in its short form, print the verdict, name the report
	$(MAKE) -C labs cold-start
	$(TACHO) run labs/cold-start/demo.yaml

# --- the articles of the labs -------------------------------------------------------------------

# Claims are checked on this machine. Exit code 1: one has another result than its file expects; 3:
# one could not be measured (docs/claims.md).

# Commands of a file of claims may call `tacho` by its name.
CLAIMS := PATH="$(CURDIR)/$(dir $(TACHO)):$$PATH" $(TACHO) claims

# The builder of native images; Tacho's native kit is installed if the machine has none.
.PHONY: native-image
native-image: build
	@labs/find-graalvm >/dev/null 2>&1 || $(TACHO) native-kit install

# Some claims are held against what a command prints, such as labs/java-vs-go/sizes.
.PHONY: jq
jq:
	@scripts/prerequisites --with-jq

# What a lab's runs start, as far as they do not build it themselves.
.PHONY: parts-cold-start parts-java-vs-go parts-feign-regression parts-warm-up parts-native-gc
parts-cold-start: native-image
	$(MAKE) -C labs cold-start
	$(MAKE) -C labs/cold-start scale-to-zero
	$(MAKE) -C labs/native build SERVICES=boot-web

parts-java-vs-go: native-image jq
	$(MAKE) -C labs java-vs-go
	$(MAKE) -C labs/native build SERVICES=helidon
	# The article's JDK; where it cannot be had, two claims are not measured.
	-$(MAKE) -C labs/feign-regression jdk-11

parts-feign-regression: build
	$(MAKE) -C labs/feign-regression factors

parts-warm-up: build
	$(MAKE) -C labs warm-up

parts-native-gc: native-image jq
	$(MAKE) -C labs native-gc

.PHONY: lab-cold-start
lab-cold-start: parts-cold-start ## The claims of the article on Spring's native images (an hour and a half, computed; in parts on 2026-11-30)
	$(CLAIMS) labs/cold-start/claims.yaml

.PHONY: lab-java-vs-go
lab-java-vs-go: parts-java-vs-go ## The claims of the article on Java and Go (two hours, computed; in parts on 2026-11-30)
	$(CLAIMS) labs/java-vs-go/claims.yaml

.PHONY: lab-feign-regression
lab-feign-regression: parts-feign-regression ## The claims of the article on the Feign regression (40 minutes, computed; in parts on 2026-11-30)
	$(CLAIMS) labs/feign-regression/claims.yaml

.PHONY: lab-warm-up
lab-warm-up: parts-warm-up ## The claims of the article on warm-up on Kubernetes (an hour, computed; in parts on 2026-11-30)
	$(CLAIMS) labs/warm-up/claims.yaml

.PHONY: lab-native-gc
lab-native-gc: parts-native-gc ## The claims of the article on the collector of native images (an hour, computed; in parts on 2026-11-29)
	$(CLAIMS) labs/native-gc/claims.yaml

ARTICLES := $(wildcard labs/*/claims.yaml)

# From a fresh clone to its end on 2026-11-28, on 2 processors with 24 GB: 112 minutes, with other
# work beside the first 24 of them and nothing beside the rest. Since then the short forms of
# feign-regression warm longer, and those of warm-up are others. In minutes:
#   building          20   Tacho 11, Helidon's image 7, the jars; the images of cold-start and
#                          native-gc were built before of the same sources (~/.cache/tacho/
#                          labs-images): where they are not, 44 come on top (10, 12, 9 and 13)
#   cold-start        18   hello world 4 (3 for its image), start 5, first 1, warm 3, warm-close 3,
#                          scale to zero 3, with the image 0.3
#   feign-regression  16   few.yaml 16 (since then it warms longer: 22), the counts 0.2
#   java-vs-go        14   shape-quick.yaml 6, order-short.yaml 5, quick.yaml 2, the sizes 0.5
#   native-gc         25   short.yaml 5, collections 14, heaps-short.yaml 6
#   warm-up           16   computed: runner-keeps-up-short.yaml 8, others-keep-up-short.yaml 8; those
#                          of that day took 20
.PHONY: articles
articles: $(ARTICLES:labs/%/claims.yaml=parts-%) ## Which claims of the five articles hold on this machine, row by row: the labs' short forms (two hours from a fresh clone on 2026-11-28, images on top; in parts since)
	$(CLAIMS) --short $(ARTICLES)

# Why a claim does not hold, one factor at a time; each is an experiment of its lab's README. What
# they print goes into one file each.
WHYS := labs/cold-start/cpus.yaml labs/cold-start/warm-why.yaml labs/cold-start/idle.yaml \
  labs/cold-start/idle-why.yaml \
  labs/warm-up/why-processors.yaml labs/warm-up/why-100-is-not-1000.yaml \
  labs/feign-regression/factors-warm.yaml labs/feign-regression/factors-cpu.yaml
.PHONY: articles-why
articles-why: parts-cold-start parts-warm-up parts-feign-regression ## Why rows of the articles' tables differ, one factor at a time (three hours, computed; in parts on 2026-11-30)
	@mkdir -p target/articles-why
	@for file in $(WHYS); do \
		to=target/articles-why/$$(basename $$file .yaml).txt; \
		echo "$$file > $$to"; \
		$(TACHO) run $$file --runs target/articles-why/runs --quiet > $$to || [ $$? = 3 ] || exit 1; \
	done
	$(TACHO) run labs/cold-start/first.yaml --diagnose memory --runs target/articles-why/runs --quiet \
		> target/articles-why/first-memory.txt || [ $$? = 3 ]
	$(TACHO) warmup labs/warm-up/why-100-is-not-1000.yaml --variants jdk25-100,jdk25-1000 --rate 250 --duration 30s \
		--runs target/articles-why/runs --quiet > target/articles-why/rate-250.txt || [ $$? = 3 ]

# --- measuring Tacho and native images ----------------------------------------------------------

.PHONY: native-contract
native-contract: build ## Every lab service answers from its native image as on the JVM (GRAALVM_HOME; half an hour)
	$(MAKE) -C labs native-contract

.PHONY: bench-native
bench-native: build ## What native images cost and give beside the JVM variants, as ratios (GRAALVM_HOME; hours)
	$(MAKE) -C labs bench-native

.PHONY: bench-load
bench-load: bench-tools ## Compare the load engine with wrk, ab, oha and hey; writes docs/benchmarks.md (15 minutes)
	target/release/bench-load --write docs/benchmarks.md

.PHONY: bench-load-quick
bench-load-quick: bench-tools ## The same in two minutes, printed only
	target/release/bench-load --quick

.PHONY: bench-observers
bench-observers: build ## What observing costs the subject: throughput with all passive observers on against off (8 minutes)
	$(CARGO) build --release --locked -p tacho-bench-observers
	target/release/bench-observers --write docs/benchmarks.md

.PHONY: bench-gc
bench-gc: build bench-gctoolkit ## Compare the reader of GC logs with gctoolkit on the same logs; writes docs/benchmarks.md (20 minutes)
	$(CARGO) build --release --locked -p tacho-bench-gc
	target/release/bench-gc --write docs/benchmarks.md

.PHONY: bench-gctoolkit
bench-gctoolkit:
	mvn --batch-mode --quiet -ntp -f bench/gc/gctoolkit/pom.xml package

ARTHAS_VERSION := 4.1.5
ARTHAS := target/arthas-$(ARTHAS_VERSION)

$(ARTHAS)/arthas-core.jar:
	mvn --batch-mode --quiet -ntp dependency:copy -Dartifact=com.taobao.arthas:arthas-packaging:$(ARTHAS_VERSION):zip:bin -DoutputDirectory=$(ARTHAS)
	cd $(ARTHAS) && jar xf arthas-packaging-$(ARTHAS_VERSION)-bin.zip
	@touch $@

.PHONY: bench-diagnose
bench-diagnose: build $(ARTHAS)/arthas-core.jar ## What tracing a hot method costs its service, beside Arthas tracing the same (8 minutes)
	$(CARGO) build --release --locked -p tacho-bench-diagnose
	target/release/bench-diagnose --arthas $(ARTHAS) --write docs/benchmarks.md

.PHONY: bench-tools
bench-tools: build
	@scripts/bench-prerequisites
	$(CARGO) build --release --locked -p tacho-bench-load

# --- checking -----------------------------------------------------------------------------------

# Code is linted while it is compiled for the tests: clippy's driver is a compiler that also lints,
# and `cargo clippy` is `cargo check` with this driver as its wrapper. So nothing is compiled twice,
# once for the lints and once for the tests.
test: export RUSTC_WORKSPACE_WRAPPER := $(CURDIR)/scripts/clippy-once
test: export CLIPPY_ARGS := -Dwarnings__CLIPPY_HACKERY__
# For each of the test programs that run beside each other.
test: export RUST_TEST_THREADS ?= 2

# Those on a jar. That on Kubernetes wants a cluster.
TUTORIALS := $(addprefix docs/tutorials/,$(addsuffix .md,\
  jar-aot-or-native go-or-java warm-before-ready which-collector who-made-it-slower))

.PHONY: test
test: prerequisites web agent ## Run every test
	$(MAKE) style
	cd web && npm run --silent test
	@# The last crates are compiled one after another: the other processor builds the labs meanwhile.
	$(MAKE) --jobs=2 test-rust-built test-labs-built
	@# Tests that run services mostly wait: so they run beside each other.
	$(MAKE) --jobs=2 test-rust test-java-and-pages

.PHONY: test-rust-built test-labs-built
test-rust-built:
	scripts/test-rust --build

test-labs-built:
	$(MAKE) -C labs build

.PHONY: test-rust
test-rust:
	scripts/test-rust -j4

.PHONY: test-java-and-pages
test-java-and-pages:
	scripts/browser-test
	@# By the program that this has built.
	scripts/tutorials.mjs --cheap $(TUTORIALS)
	scripts/test-install
	scripts/test-find-jdk
	$(MAKE) -C jvm test
	$(MAKE) -C labs contract
	$(MAKE) -C native-kit/checks jvm
	$(MAKE) -C native-kit test
	$(MAKE) test-a-pod

.PHONY: test-gc-agreement
test-gc-agreement: ## Logs of collections against flight recordings of the same launches, by every collector (2 minutes)
	$(CARGO) test --locked -p tacho-jfr --test agreement -- --include-ignored

.PHONY: test-gc-jdks
test-gc-jdks: ## Logs recorded here by JDK 11, 17, 21 and 25, every collector, against the counts of the same JVM (3 minutes)
	homes=$$(scripts/jre 11):$$(scripts/jre 21) && TACHO_TEST_JAVA_HOMES=$$homes \
		$(CARGO) test --locked -p tacho-gc-log --test agreement -- --nocapture --test-threads=1

.PHONY: test-time-line
test-time-line: ## Compare the measured times of a start with those that the subject reports, within 2 ms; needs an idle machine (1 minute)
	$(CARGO) test --locked -p tacho-launch --test time_line -- --include-ignored

.PHONY: test-error-rate
test-error-rate: ## How often a run of identical variants reports a difference that is not there: 23,600 simulated runs (6 minutes)
	$(CARGO) test --release --locked -p tacho-analysis --lib the_error_rate -- --include-ignored --nocapture

.PHONY: bench-aa
bench-aa: build ## How often real runs of identical programs say something false: 200 of them (1 hour)
	$(CARGO) build --release --locked -p tacho --example scripted_subject
	scripts/aa-runs 200

.PHONY: bench-duet
bench-duet: build ## What pairs in time and `--duet` gain beside a neighbour that comes and goes (20 minutes)
	$(CARGO) build --release --locked -p tacho --example scripted_subject
	$(CARGO) build --release --locked -p tacho-bench-duet
	target/release/bench-duet

.PHONY: test-faults
test-faults: web agent ## What must hold when Tacho, its subject or the machine breaks: the long form (3 hours; the short one is in `make test`)
	$(CARGO) build --locked -p tacho --examples
	$(CARGO) test --locked -p tacho --test faults -- --include-ignored

.PHONY: test-regressions
test-regressions: build ## What `tacho diagnose` finds in labs/regressions against what was planted there (40 minutes)
	$(MAKE) -C labs/regressions build
	$(CARGO) build --release --locked -p tacho-bench-regressions
	target/release/bench-regressions

.PHONY: test-strangers
test-strangers: build ## Compare what `tacho diagnose` finds in labs/strangers with what was changed there (2 hours)
	$(CARGO) build --release --locked -p tacho-bench-strangers
	target/release/bench-strangers

.PHONY: test-copies
test-copies: build ## What `tacho diagnose` claims of services against copies of themselves: 40 pairs over eight stacks (80 minutes)
	$(CARGO) build --release --locked -p tacho-bench-strangers
	target/release/bench-strangers --copies 5 bird-sightings flood-warnings library-holds tram-departures care-labels roof-yield toll-statements meter-export

OTEL_VERSION := 2.33.0
OTEL := target/agents/opentelemetry-javaagent-$(OTEL_VERSION).jar

$(OTEL):
	mvn --batch-mode --quiet -ntp dependency:copy -Dartifact=io.opentelemetry.javaagent:opentelemetry-javaagent:$(OTEL_VERSION) -DoutputDirectory=target/agents

SKYWALKING_VERSION := 9.4.0
SKYWALKING := target/agents/apm-agent-$(SKYWALKING_VERSION).jar

$(SKYWALKING):
	mvn --batch-mode --quiet -ntp dependency:copy -Dartifact=org.apache.skywalking:apm-agent:$(SKYWALKING_VERSION) -DoutputDirectory=target/agents

BYTE_BUDDY_VERSION := 1.17.8
BYTE_BUDDY := target/agents/byte-buddy-$(BYTE_BUDDY_VERSION).jar

$(BYTE_BUDDY):
	mvn --batch-mode --quiet -ntp dependency:copy -Dartifact=net.bytebuddy:byte-buddy:$(BYTE_BUDDY_VERSION) -DoutputDirectory=target/agents

.PHONY: test-agent
test-agent: prerequisites agent $(OTEL) $(SKYWALKING) $(BYTE_BUDDY) ## The agent over a thousand sessions in one JVM, at hundreds of instants of a start, and beside the agents of OpenTelemetry, SkyWalking and Byte Buddy (half an hour)
	TACHO_OTEL_AGENT=$(abspath $(OTEL)) TACHO_SKYWALKING_AGENT=$(abspath $(SKYWALKING)) TACHO_BYTE_BUDDY=$(abspath $(BYTE_BUDDY)) $(CARGO) test --locked -p tacho-jvm-agent --test on_real_jvms --test at_start -- --include-ignored

.PHONY: cluster
cluster: ## Start a Kubernetes cluster of one node on this machine (root; building its programs once takes six minutes)
	cluster-box/prerequisites
	cluster-box/box build >/dev/null
	cluster-box/box up

.PHONY: test-cluster
test-cluster: ## Such a cluster from end to end: pods, Services, Jobs, a rolling update; nothing is left (a minute)
	cluster-box/prerequisites
	cluster-box/box build >/dev/null
	cluster-box/box up >/dev/null
	cluster-box/box check

.PHONY: lab-kubernetes
lab-kubernetes: build ## A cluster of this machine, a rolling update under load, Java and Go as pods; nothing is left (root)
	cluster-box/prerequisites
	cluster-box/box build >/dev/null
	$(MAKE) -C labs java-vs-go
	labs/kubernetes/lab

.PHONY: lab-warm-up-on-kubernetes
lab-warm-up-on-kubernetes: parts-warm-up ## The article on warm-up as it was measured: pods behind a Service, fresh and through a rolling update (root; three hours, computed)
	cluster-box/prerequisites
	cluster-box/box build >/dev/null
	labs/kubernetes/warm-up

.PHONY: test-kubernetes
test-kubernetes: web agent ## On a real cluster of this machine: launches as pods, each fault, a load by pods, a rollout, clean-up (root)
	cluster-box/prerequisites
	cluster-box/box build >/dev/null
	$(MAKE) -C labs/java-vs-go go
	# The services with a scripted life; `cargo test --test` builds none.
	$(CARGO) build --locked -p tacho --examples
	$(CARGO) test --locked -p tacho --test kubernetes -- --include-ignored --test-threads=1

# One after another: each has this machine for itself.
.PHONY: test-kubernetes-all
test-kubernetes-all: ## All tests of clusters and images: test-cluster, test-kubernetes, test-image, lab-kubernetes (root; an hour, computed; in parts on 2026-11-30)
	$(MAKE) test-cluster
	$(MAKE) test-kubernetes
	$(MAKE) test-image
	$(MAKE) lab-kubernetes

# The image of `make dist` as a container that warms a pod, and as the workers of a load.
.PHONY: test-dist-on-kubernetes
test-dist-on-kubernetes: export GATE_IMAGE = $(firstword $(wildcard dist/tacho-*-$(shell uname -m)-oci.tar))
test-dist-on-kubernetes: export WORKER_IMAGE = $(GATE_IMAGE)
test-dist-on-kubernetes: build ## The image of `make dist` in a cluster of this machine: it warms pods that are rolled out, and it sends a load (root; ten minutes, computed; by parts on 2026-11-30)
	@[ -n "$(GATE_IMAGE)" ] || { echo 'dist/ has no image: make dist' >&2; exit 1; }
	# 1: requests were lost, which a service can avoid that closes its connections itself.
	WITH=gate labs/kubernetes/promises || [ $$? = 1 ]
	labs/kubernetes/tenfold
	cluster-box/box down

# One launch on a real cluster, where its programs are built already: building them takes minutes.
.PHONY: test-a-pod
test-a-pod:
	@if [ "$$(id -u)" = 0 ] && cluster-box/box built >/dev/null 2>&1; then \
		$(CARGO) test --locked --workspace --test kubernetes -- --ignored a_pod_is_measured; \
	else echo "Left out: a pod on a real cluster, whose programs are not built here (make cluster)."; fi

.PHONY: test-native-kit
test-native-kit: ## The kit installed, an image of the JDK's HTTP server built with it and asked (2 to 4 minutes; 2026-11-30)
	$(MAKE) -C native-kit server

.PHONY: test-image
test-image: build ## Archives of classes trained in the layers of an image, and used in a container of it; a runtime by jlink there (2 minutes, and those of jlink)
	$(CARGO) test --locked -p tacho --test image -- --include-ignored

.PHONY: test-maven-plugin
test-maven-plugin: build ## The Maven plugin in real builds: a check that holds, one that does not (two minutes; 2026-11-30)
	jvm/tacho-maven-plugin/try $(TACHO)

.PHONY: test-gradle-plugin
test-gradle-plugin: build ## The Gradle plugin in real builds by Debian's Gradle (root, where that is to be installed; two minutes; 2026-11-30)
	@command -v gradle >/dev/null || DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends gradle >/dev/null
	jvm/tacho-gradle-plugin/try $(TACHO)

.PHONY: test-jvm
test-jvm: ## The Spring Boot starter on Boot 3.5 and 4, servlet and reactive, JDK 17 and 25 (10 minutes)
	$(MAKE) -C jvm test-all

.PHONY: test-editor
test-editor: build ## Test Tacho's schema of experiments with the YAML language server that editors use (a minute; 2026-11-30)
	scripts/editor.mjs

.PHONY: tutorials
tutorials: parts-cold-start parts-warm-up parts-feign-regression ## The outputs of the tutorials made again, compared in shape (an hour, an image on top; in four calls on 2026-12-01); with KUBECONFIG that on Kubernetes, too (13 minutes, 2026-11-30)
	$(MAKE) -C labs java-vs-go
	$(TACHO) profiler install
	scripts/tutorials.mjs $(TUTORIALS) docs/tutorials/kubernetes.md

.PHONY: pages
pages: build labs ## Every command of README.md and docs/*.md is run where it can be: 35 minutes, computed; those on a cluster, with KUBECONFIG, half an hour more (whole on 2026-11-29, then without gRPC and the tables; on 2026-11-30 the pages one by one without what wants a native-image, docs/rollout.md on 2026-12-01; of docs/questions.md only a part, whose commands are those of other pages)
	scripts/pages.mjs

.PHONY: docs
docs: web/node_modules/.package-lock.json ## The pages as a site, target/book/index.html, with each link checked (mdBook is built once, minutes; 4 minutes beside tests, 2026-11-30)
	scripts/links
	scripts/docs

.PHONY: report-picture
report-picture: build parts-cold-start web/node_modules/.package-lock.json ## docs/report.png, which the README shows: the report of labs/cold-start/start-short.yaml (a quarter of an hour)
	$(TACHO) run labs/cold-start/start-short.yaml --launches 5 --runs target/report-picture || [ $$? = 3 ]
	node web/picture.mjs "$$(ls -td target/report-picture/*/ | head -n 1)report.html" page docs/report.png 1280

.PHONY: fuzz
fuzz: web agent ## Ten million inputs for every target of fuzz/, two targets at a time (hours); a line each
	scripts/fuzz --runs 10000000 -j2

.PHONY: lint
lint: style ## Format and lint checks
	$(CARGO) clippy --workspace --all-targets --locked -- -D warnings

# The checks that compile nothing of ours.
.PHONY: style
style: web agent
	$(CARGO) fmt --all --check
	scripts/prose
	scripts/links
	scripts/doc-examples
	scripts/deny
	cd web && npm run --silent check

.PHONY: audit
audit: web/node_modules/.package-lock.json ## Check the crates and packages used for known vulnerabilities; says which lists could not be fetched
	scripts/audit

.PHONY: clean
clean: ## Remove everything that was built
	$(CARGO) clean
	rm -rf web/dist web/node_modules
	$(MAKE) -C labs clean
	$(MAKE) -C native-kit/checks clean
	$(MAKE) -C jvm clean
