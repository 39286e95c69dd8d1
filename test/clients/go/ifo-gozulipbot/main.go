// Calls the methods of a library for bots.
package main

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	"example.org/clients/driver"
	zulip "github.com/ifo/gozulipbot"
)

func body(answer *http.Response, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	read, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode != http.StatusOK {
		err = errors.New(string(read))
	}
	return string(read), err
}

func main() {
	config := driver.Read()
	bot := (&zulip.Bot{
		APIKey:  config.Key,
		APIURL:  config.Site + "/api/v1/",
		Email:   config.Email,
		Backoff: time.Second,
	}).Init()
	var queue *zulip.Queue
	var heard zulip.EventMessage
	// Heartbeats are errors to the library.
	hear := func() (any, error) {
		for {
			messages, err := queue.GetEvents()
			if err == zulip.HeartbeatError {
				continue
			}
			if err != nil {
				return nil, err
			}
			for _, message := range messages {
				if strings.Contains(message.Content, "Is anybody there?") {
					heard = message
					return message.Content, nil
				}
			}
		}
	}
	driver.Run([]driver.Step{
		{Name: "streams", Do: func() (any, error) { return bot.GetStreams() }},
		{Name: "subscribe", Do: func() (any, error) { return body(bot.Subscribe([]string{config.Channel})) }},
		{Name: "subscriptions", Do: func() (any, error) { return body(bot.ListSubscriptions()) }},
		{Name: "emoji", Do: func() (any, error) { return bot.RealmEmoji() }},
		{Name: "register", Do: func() (any, error) {
			var err error
			queue, err = bot.RegisterAll()
			if err != nil {
				return nil, err
			}
			driver.Say(map[string]any{"step": "listening"})
			return queue.ID, nil
		}},
		{Name: "hear", Do: hear},
		{Name: "respond", Do: func() (any, error) { return body(bot.Respond(heard, "Here I am.")) }},
		{Name: "react", Do: func() (any, error) { return body(bot.React(heard, "tada")) }},
		{Name: "react_again", Do: func() (any, error) { return body(bot.React(heard, "heart")) }},
		{Name: "unreact", Do: func() (any, error) { return body(bot.Unreact(heard, "heart")) }},
		{Name: "send_direct", Do: func() (any, error) {
			return body(bot.Message(zulip.Message{Emails: []string{config.Witness.Email}, Content: "from a gopher"}))
		}},
		{Name: "unsubscribe", Do: func() (any, error) { return body(bot.Unsubscribe([]string{config.Channel})) }},
	})
}
