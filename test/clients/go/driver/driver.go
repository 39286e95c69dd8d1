// Package driver calls the steps of a driver in order, and writes what each returned as a line of JSON.
package driver

import (
	"encoding/json"
	"fmt"
	"os"
)

// Config is what a driver is told.
type Config struct {
	Site string
	// The name of the server for clients that speak HTTPS only.
	Host    string
	Email   string
	Key     string `json:"api_key"`
	Channel string
	Topic   string
	Witness struct{ Email string }
}

// Step is something that a client does.
type Step struct {
	Name string
	Do   func() (any, error)
}

// Read reads the configuration.
func Read() Config {
	var config Config
	if err := json.NewDecoder(os.Stdin).Decode(&config); err != nil {
		panic(err)
	}
	return config
}

// Say writes a line.
func Say(fields map[string]any) {
	line, err := json.Marshal(fields)
	if err != nil {
		panic(err)
	}
	fmt.Println(string(line))
}

// Run calls each step.
func Run(steps []Step) {
	for _, step := range steps {
		value, err := step.Do()
		if err != nil {
			Say(map[string]any{"step": step.Name, "error": err.Error()})
		} else {
			Say(map[string]any{"step": step.Name, "value": value})
		}
	}
}
