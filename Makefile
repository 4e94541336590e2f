# Main targets: run, test, install. `make help` lists all.
SHELL := /bin/sh
SWIFT ?= swift
PREFIX ?= /usr/local
DESTDIR ?=
# What is installed; and what writes the manual, the completions and the schemas, which a cross build takes from elsewhere.
PROGRAM ?= .build/release/stickerd
GENERATOR ?= $(PROGRAM)
# Debian's packages use /usr/share/zsh/vendor-completions.
ZSH_COMPLETIONS ?= $(PREFIX)/share/zsh/site-functions

# systemd searches for units only below /usr and /usr/local.
unitprefix := $(if $(filter /usr /usr/local,$(PREFIX)),$(PREFIX),/usr/local)
bindir := $(DESTDIR)$(PREFIX)/bin
# Not in share/doc, where Debian compresses files and may leave them out.
datadir := $(DESTDIR)$(PREFIX)/share/stickerd
mandir := $(DESTDIR)$(PREFIX)/share/man
bash_completions := $(DESTDIR)$(PREFIX)/share/bash-completion/completions
zsh_completions = $(DESTDIR)$(ZSH_COMPLETIONS)
fish_completions := $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d
unitdir := $(DESTDIR)$(unitprefix)/lib/systemd/system
userunitdir := $(DESTDIR)$(unitprefix)/lib/systemd/user
catalogdir := $(DESTDIR)$(unitprefix)/lib/systemd/catalog
sysusersdir := $(DESTDIR)$(unitprefix)/lib/sysusers.d
tmpfilesdir := $(DESTDIR)$(unitprefix)/lib/tmpfiles.d

# What a toolchain unpacked from swift.org's archive needs to run, compile and link. The package of libcurl has another name
# in each distribution; that of curl, which needs it, has not.
toolchain_packages := curl g++ libncurses6 libxml2 python3 tzdata
library_packages := libde265-dev libdeflate-dev libheif-dev libjpeg-dev liblcms2-dev libpng-dev libpthreadpool-dev libseccomp-dev libsqlite3-dev libssl-dev libsystemd-dev libwebp-dev libxnnpack-dev pkg-config zlib1g-dev
build_packages := $(toolchain_packages) $(library_packages)
test_packages := acl bash-completion bindfs btrfs-progs chromium dbus e2fsprogs exfat-fuse exfatprogs firefox-esr fish gir1.2-webkit2-4.1 git groff jq libcairo2 libjpeg-turbo-progs man-db mandoc mergerfs node-mdn-browser-compat-data nodejs ntfs-3g openssh-sftp-server pngcheck procps python3-gi python3-venv sshfs systemd unicode-data unionfs-fuse util-linux webkit2gtk-driver webp xdotool xfsprogs xvfb zsh
# Debian 13 has no unionfs-fuse, Ubuntu 24.04 no browsers but snaps.
optional_packages := chromium firefox-esr unionfs-fuse
# Under sudo, build as the calling user: the files and the toolchain are that user's.
owner := $(if $(filter-out root,$(SUDO_USER)),$(if $(filter 0,$(shell id -u)),$(SUDO_USER)))
as_owner := $(if $(owner),sudo -u $(owner) -i sh -c 'cd "$$1" && shift && "$$@"' - '$(CURDIR)')
swift := $(as_owner) $(SWIFT)
tests := $(as_owner) Tests/swift-test.sh $(SWIFT) test
# For scripts that run as root.
toolchain = env PATH="$$PATH:$$(dirname "$$($(as_owner) sh -c 'command -v $(SWIFT)')")"
gate := env SWIFT='$(SWIFT)' PYTHONDONTWRITEBYTECODE=1 python3 Tests/Gate

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help setup setup-build setup-test build run messages check test test-steady test-browser test-exports \
	test-loops test-models test-palettes test-distributions test-arm64 test-image test-old-cpu test-package \
	test-thread test-address test-torture test-end-to-end architecture-picture docs gallery-picture bench \
	bench-neighbor bench-scale score torture fuzz install install-files uninstall deb image format format-check

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: setup-build setup-test ## Install missing Debian packages for building and testing

setup-build: packages = $(build_packages)
setup-test: packages = $(build_packages) $(test_packages)
setup-build setup-test:
	@missing= found=; for package in $(packages); do \
		dpkg-query -W -f '$${db:Status-Status}' $$package 2> /dev/null | grep -qx installed || missing="$$missing $$package"; \
	done; \
	[ -z "$$missing" ] || { \
		echo "Installing:$$missing"; \
		[ "$$(id -u)" = 0 ] && sudo= || sudo=sudo; \
		$$sudo apt-get update -q && \
		for package in $$missing; do \
			case ' $(optional_packages) ' in *" $$package "*) apt-cache show $$package 2> /dev/null | grep -q . || { \
				echo "This distribution has no $$package; tests that need it cannot run."; continue; };; esac; \
			found="$$found $$package"; \
		done && \
		$$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $$found; }
	@$(swift) --version > /dev/null || { \
		echo 'No Swift toolchain found. Install Swift 6.2 or later: https://www.swift.org/install/linux' >&2; exit 1; }

# Tested and installed alike. The service must run without the toolchain, so Swift's libraries are linked statically.
build: ## Build .build/release/stickerd
	$(swift) build -c release --static-swift-stdlib --product stickerd $(BUILD_FLAGS)

run: setup-build build ## Run the daemon here, with ./inbox and ./outbox
	@echo 'Drop photos into $(CURDIR)/inbox; stickers appear in $(CURDIR)/outbox. Ctrl-C stops.'
	@exec .build/release/stickerd run --inbox inbox --outbox outbox --state state

check: setup-test ## Test what changed since the last check: format, and debug tests of the modules concerned
	$(as_owner) $(gate)/check.py

test: setup-test ## Run all tests; Tests/Gate/parts.py lists the parts
	$(gate)/gate.py

test-steady: setup-test ## Repeat the tests that wait, kill or measure, with one core busy; continues after an interruption
	$(gate)/steady.py $(PARTS)

test-torture: setup-test build ## Test kills, power cuts and disk errors, a few dozen times each (all: make torture)
	Tests/Torture/run.sh short .build/release/stickerd

test-browser: setup-test build ## Test the gallery of a running daemon in Chromium; in short in Firefox and WebKitGTK
	$(as_owner) Tests/Browser/run.sh .build/release/stickerd
	$(as_owner) Tests/Browser/run.sh .build/release/stickerd --engine firefox --engine webkit -m engines

test-models: setup-test ## Compare networks converted from ONNX with ONNX Runtime (downloads PyTorch)
	$(as_owner) env SWIFT='$(SWIFT)' Tests/Models/run.sh

test-loops: test_packages = mmdebstrap qemu-user
test-loops: setup-test ## Compare the loops in C on this processor, older ones and arm64 (emulated); count arm64's instructions
	$(as_owner) Tests/Platforms/loops.sh

test-palettes: setup-test build ## Read the palettes with other programs; compare the gallery's colors with the daemon's
	$(as_owner) Tests/Palettes/run.sh .build/release/stickerd
	$(swift) build --build-tests
	$(as_owner) Tests/Palettes/parity.sh

test-exports: setup-test build ## Read packs for messengers and servers with other programs
	$(as_owner) Tests/Exports/run.sh .build/release/stickerd

test-distributions: test_packages += mmdebstrap
test-distributions: setup-test build ## Build and test in roots of Debian 13 and Ubuntu 24.04; compare their stickers with those made here (needs root)
	$(toolchain) Tests/Platforms/distributions.sh .build/release/stickerd $(DISTRIBUTIONS)

test-arm64: DISTRIBUTIONS = bookworm trixie
test-arm64: test_packages += cpio mmdebstrap qemu-system-arm
test-arm64: setup-test ## Cross-build packages for arm64, run their program under an emulated kernel, and compare its pictures with amd64's (needs root)
	$(toolchain) Packaging/deb.sh $(DISTRIBUTIONS) $(DISTRIBUTIONS:=-arm64)
	Tests/Platforms/unstable.sh .build/platforms/arm64 busybox-static,linux-image-arm64 --variant=extract --architectures=arm64 \
		--skip=check/qemu
	for distribution in $(DISTRIBUTIONS); do \
		work=.build/deb/$$distribution-arm64; \
		PLACE=/usr/src/stickerd $(toolchain) Tests/Platforms/cross-arm64.sh $$distribution $$work/sources $$work/build Confined && \
			$(toolchain) "$$(Tests/python.sh Platforms)" Tests/Platforms/emulate.py $$distribution-arm64 || exit; \
	done
	@$(MAKE) --no-print-directory test-loops

test-old-cpu: test_packages += cpio mmdebstrap qemu-system-x86
test-old-cpu: setup-test build ## Run stickerd on an emulated Core 2 under its own kernel, and compare its pictures (needs root)
	$(swift) build -c release --static-swift-stdlib --product Confined
	Tests/Platforms/unstable.sh .build/platforms/amd64 busybox-static,linux-image-amd64 --variant=extract
	"$$(Tests/python.sh Platforms)" Tests/Platforms/emulate.py old-cpu

architecture-picture: setup-test ## Draw the modules and their dependencies in Docs/architecture.svg
	$(as_owner) Docs/architecture.py

messages: ## List the texts that users see in Docs/Messages.txt
	$(as_owner) Docs/messages.py

docs: setup-build ## Compile the modules' documentation into .build/docs; warnings are errors
	$(swift) build
	$(as_owner) env SWIFT='$(SWIFT)' Docs/docc.sh .build/docs

gallery-picture: setup-test build ## Redraw the README's picture of the gallery
	$(as_owner) sh -c 'PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=Tests/Harness "$$(Tests/python.sh Browser)" Tests/Browser/screenshot.py \
		.build/release/stickerd Docs/gallery.png'

test-end-to-end: setup-test ## Test the installed service under this machine's systemd, and unmounted disks (needs root)
	$(gate)/gate.py 'release build' 'end to end' mounts moves

# Its symbolizer has a path, because workers have no PATH: without the functions' names, nothing is suppressed.
test-thread: setup-test ## Run the tests under the thread sanitizer
	TSAN_OPTIONS="suppressions=$(CURDIR)/Tests/thread-sanitizer.supp \
		external_symbolizer_path=$$($(as_owner) sh -c 'dirname "$$(command -v $(SWIFT))"')/llvm-symbolizer" \
		$(tests) --sanitize=thread --no-parallel --scratch-path .build-thread

test-address: setup-test ## Run the C code, then the tests, under the address sanitizer
	$(as_owner) Tests/Fuzz/sanitize.sh
	LSAN_OPTIONS='suppressions=$(CURDIR)/Tests/address-sanitizer.supp' \
		$(tests) --sanitize=address --disable-xctest --no-parallel --scratch-path .build-address

torture: test_packages += gimp
torture: setup-test build ## Test kills, power cuts and disk errors at every call, for hours; the gallery in Firefox and WebKitGTK; optimized tests; palettes in GIMP; sanitizers
	Tests/Torture/run.sh long .build/release/stickerd
	$(as_owner) Tests/Browser/run.sh .build/release/stickerd --engine firefox --engine webkit
	$(as_owner) Tests/Palettes/run.sh .build/release/stickerd
	$(as_owner) Tests/Likeness/run.sh
	$(tests) -c release -Xswiftc -enable-testing --no-parallel --scratch-path .build-optimized
	@$(MAKE) --no-print-directory test-models
	@$(MAKE) --no-print-directory test-address test-thread
	@[ "$$(id -u)" = 0 ] && sudo= || sudo=sudo; \
		$$sudo $(MAKE) --no-print-directory test-package DISTRIBUTIONS='bookworm trixie' && \
		$$sudo $(MAKE) --no-print-directory test-image
	rm -rf .build/torture

fuzz: setup-test ## Fuzz every decoder for ten minutes each
	Tests/Fuzz/run.sh 600

bench: setup-test build ## Measure performance (PHOTOS=folder, WEB=number of web photos, BENCH_FLAGS=--quick)
	$(as_owner) sh -c '"$$(Tests/python.sh ../Benchmarks)" Benchmarks/photos.py .build/bench-photos \
		$(if $(PHOTOS),--from "$(PHOTOS)") $(if $(WEB),--web $(WEB))'
	$(swift) run -c release --package-path Benchmarks bench --stickerd .build/release/stickerd --photos .build/bench-photos \
		$(BENCH_FLAGS)

bench-neighbor: build ## Measure how a backlog slows other programs, with the photos of `make bench` (needs root and nginx)
	Benchmarks/neighbor.sh .build/bench-photos/large

bench-scale: setup-test build ## Measure costs against the number of files and workers, and plot them (SCALE_FLAGS=--sizes=100,1000)
	Tests/Scale/run.sh $(SCALE_FLAGS)

score: setup-test build ## Score masks, stickers and colors of a folder of photos, and draw sheets in .build/score (PHOTOS=folder, TRUTH=folder of true masks, BEFORE=folder of earlier stickers)
	$(as_owner) sh -c 'PYTHONDONTWRITEBYTECODE=1 "$$(Tests/python.sh Quality)" Tests/Quality/score.py .build/release/stickerd \
		"$(PHOTOS)" --out .build/score $(if $(TRUTH),--truth "$(TRUTH)") $(if $(BEFORE),--before "$(BEFORE)")'

install: setup-build build install-files ## Install the service (PREFIX, DESTDIR)

# With DESTDIR, nothing is started, created or reloaded: the package's own scripts do that.
# All users may read the files, whatever the umask of the user who installs them.
install-files:
	install -D -m 755 '$(PROGRAM)' '$(bindir)/stickerd'
	install -d '$(unitdir)' '$(userunitdir)' '$(bash_completions)' '$(zsh_completions)' '$(fish_completions)'
	umask 022; sed 's|/usr/local/bin|$(PREFIX)/bin|' systemd/stickerd.service > '$(unitdir)/stickerd.service'
	umask 022; sed 's|/usr/local/bin|$(PREFIX)/bin|' systemd/user/stickerd.service > '$(userunitdir)/stickerd.service'
	install -D -m 644 systemd/sysusers.d/stickerd.conf '$(sysusersdir)/stickerd.conf'
	install -D -m 644 systemd/tmpfiles.d/stickerd.conf '$(tmpfilesdir)/stickerd.conf'
	install -D -m 644 systemd/stickerd.catalog '$(catalogdir)/stickerd.catalog'
	install -D -m 644 -t '$(datadir)' pack.schema.json
	umask 022; '$(GENERATOR)' settings > '$(datadir)/config.example.json'
	umask 022; '$(GENERATOR)' settings --schema > '$(datadir)/config.schema.json'
	umask 022; Docs/manual.py '$(GENERATOR)' '$(mandir)'
	umask 022; Docs/completions.py '$(GENERATOR)' bash > '$(bash_completions)/stickerd'
	umask 022; Docs/completions.py '$(GENERATOR)' zsh > '$(zsh_completions)/_stickerd'
	umask 022; Docs/completions.py '$(GENERATOR)' fish > '$(fish_completions)/stickerd.fish'
ifeq ($(DESTDIR),)
	systemd-sysusers '$(sysusersdir)/stickerd.conf'
	systemd-tmpfiles --create '$(tmpfilesdir)/stickerd.conf'
	journalctl --update-catalog
	@[ ! -d /run/systemd/system ] || systemctl daemon-reload
	@echo 'Installed. Start it with: systemctl enable --now stickerd; after an update: systemctl restart stickerd'
endif

deb: build_packages += mmdebstrap
deb: setup-build ## Build Debian packages into .build/deb (DISTRIBUTIONS='bookworm trixie noble'; needs root)
	$(toolchain) Packaging/deb.sh $(DISTRIBUTIONS)

# Images are made of the newest Debian's packages, for both processors.
image: DISTRIBUTIONS = trixie trixie-arm64
image: build_packages += jq umoci
image: deb ## Make an OCI image of the package in .build/image, for container engines (needs root)
	Packaging/image.sh .build/deb/stickerd_*~debian13_*.deb

test-package: test_packages += mmdebstrap
test-package: deb ## Install, upgrade, remove and purge the packages in minimal systems of their distributions (needs root)
	Tests/Package/run.sh $(DISTRIBUTIONS)

test-image: image ## Run the image as a container engine would (needs root)
	Tests/Package/image.sh

uninstall: ## Remove the service; keep photos, stickers, settings and the user
ifeq ($(DESTDIR),)
	@[ ! -d /run/systemd/system ] || systemctl disable --now stickerd || :
endif
	rm -f '$(bindir)/stickerd' '$(unitdir)/stickerd.service' '$(userunitdir)/stickerd.service'
	rm -f '$(sysusersdir)/stickerd.conf' '$(tmpfilesdir)/stickerd.conf' '$(catalogdir)/stickerd.catalog'
	rm -f '$(mandir)'/man1/stickerd.1 '$(mandir)'/man1/stickerd-*.1 '$(mandir)'/man5/stickerd-*.5
	rm -f '$(bash_completions)/stickerd' '$(zsh_completions)/_stickerd' '$(fish_completions)/stickerd.fish'
	rm -f '$(datadir)/config.example.json' '$(datadir)/config.schema.json' '$(datadir)/pack.schema.json'
	@[ ! -d '$(datadir)' ] || rmdir --ignore-fail-on-non-empty '$(datadir)'
ifeq ($(DESTDIR),)
	journalctl --update-catalog
	@[ ! -d /run/systemd/system ] || systemctl daemon-reload
	@echo 'Removed. /var/lib/stickerd, /etc/stickerd and the user stickerd were kept.'
endif

format: ## Format the sources
	$(swift) format -i --recursive Package.swift Sources Tests Benchmarks/Package.swift Benchmarks/Sources
	$(as_owner) Docs/comments.py

format-check: ## Check the sources' format
	$(swift) format lint --strict --recursive Package.swift Sources Tests Benchmarks/Package.swift Benchmarks/Sources
