package com.example.shop;

import io.sentry.Sentry;
import io.sentry.SentryLevel;
import io.sentry.protocol.User;

public class Shop {
  public static void main(String[] args) {
    Sentry.init(options -> {
      options.setDsn(System.getenv("SENTRY_DSN"));
      options.setRelease("shop@1.2.3");
      options.setEnvironment("testing");
      options.addInAppInclude("com.example");
    });
    Sentry.configureScope(scope -> {
      User user = new User();
      user.setId("17");
      user.setEmail("ann@example.com");
      scope.setUser(user);
      scope.setTag("till", "4");
    });
    Sentry.addBreadcrumb("The cart was opened", "cart");
    Sentry.startSession();

    try {
      pay(System.getenv("ORDER"));
    } catch (RuntimeException error) {
      Sentry.captureException(error);
    }

    Sentry.captureMessage("The till is low on paper", SentryLevel.WARNING);
    Sentry.endSession();
    Sentry.flush(10_000);
    Sentry.close();
  }

  static void pay(String order) {
    try {
      charge();
    } catch (IllegalArgumentException cause) {
      throw new IllegalStateException("Order " + order + " was not paid", cause);
    }
  }

  static void charge() {
    throw new IllegalArgumentException("The card was declined");
  }
}
