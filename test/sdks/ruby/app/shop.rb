# In a folder that the SDK takes for the application's own: app, lib and the like.
require "sentry-ruby"

# The DSN is in SENTRY_DSN.
Sentry.init do |config|
  config.release = "shop@1.2.3"
  config.environment = "testing"
  config.breadcrumbs_logger = [:sentry_logger]
  config.background_worker_threads = 0
end
Sentry.set_user(id: "17", email: "ann@example.com")
Sentry.set_tags(till: "4")
Sentry.add_breadcrumb(Sentry::Breadcrumb.new(category: "cart", message: "The cart was opened"))

class Unpaid < StandardError; end

def pay(order)
  charge
rescue ArgumentError
  raise Unpaid, "Order #{order} was not paid"
end

def charge
  raise ArgumentError, "The card was declined"
end

# Sessions are those of requests; here one is played.
Sentry.with_session_tracking do
  pay(ENV.fetch("ORDER"))
rescue Unpaid => error
  Sentry.capture_exception(error)
end

Sentry.capture_message("The till is low on paper", level: :warning)
Sentry.session_flusher.flush
