// Sends notifications to a topic.
package main

import (
	"net/url"

	"example.org/clients/driver"
	"github.com/nicholas-fedor/shoutrrr"
)

func main() {
	config := driver.Read()
	address := url.URL{
		Scheme:   "zulip",
		User:     url.UserPassword(config.Email, config.Key),
		Host:     config.Host,
		RawQuery: url.Values{"stream": {config.Channel}, "topic": {config.Topic}}.Encode(),
	}
	driver.Run([]driver.Step{
		{Name: "notify", Do: func() (any, error) { return nil, shoutrrr.Send(address.String(), "The disk is **full**.") }},
	})
}
