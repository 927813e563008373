package main

import (
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/getsentry/sentry-go"
)

func main() {
	err := sentry.Init(sentry.ClientOptions{Dsn: os.Getenv("SENTRY_DSN"), Release: "shop@1.2.3", Environment: "testing"})
	if err != nil {
		panic(err)
	}
	sentry.ConfigureScope(func(scope *sentry.Scope) {
		scope.SetUser(sentry.User{ID: "17", Email: "ann@example.com"})
		scope.SetTag("till", "4")
	})
	sentry.AddBreadcrumb(&sentry.Breadcrumb{Category: "cart", Message: "The cart was opened"})

	pay(os.Getenv("ORDER"))

	sentry.WithScope(func(scope *sentry.Scope) {
		scope.SetLevel(sentry.LevelWarning)
		sentry.CaptureMessage("The till is low on paper")
	})
	sentry.Flush(10 * time.Second)
}

func pay(order string) {
	if err := charge(); err != nil {
		sentry.CaptureException(fmt.Errorf("order %s was not paid: %w", order, err))
	}
}

func charge() error {
	return errors.New("the card was declined")
}
