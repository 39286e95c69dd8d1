module example.org/clients

go 1.26.8

require github.com/ifo/gozulipbot v0.0.1
