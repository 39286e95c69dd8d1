module example.org/clients

go 1.25.0

require (
	github.com/containrrr/shoutrrr v0.8.0
	github.com/ifo/gozulipbot v0.0.1
	github.com/nicholas-fedor/shoutrrr v0.13.2
)

require (
	github.com/fatih/color v1.15.0 // indirect
	github.com/mattn/go-colorable v0.1.14 // indirect
	github.com/mattn/go-isatty v0.0.20 // indirect
	golang.org/x/sys v0.40.0 // indirect
	golang.org/x/term v0.39.0 // indirect
)
