import os

import sentry_sdk

order = os.environ["ORDER"]

# With brotli at hand that is what is sent, so the second order goes the other way.
experiments = {"transport_compression_algo": "gzip"} if order == "2" else {}
sentry_sdk.init(release="shop@1.2.3", environment="testing", _experiments=experiments)
sentry_sdk.set_user({"id": "17", "email": "ann@example.com"})
sentry_sdk.set_tag("till", "4")
sentry_sdk.add_breadcrumb(category="cart", message="The cart was opened")


def pay():
    try:
        charge()
    except KeyError as cause:
        raise ValueError(f"Order {order} was not paid") from cause


def charge():
    raise KeyError("The card was declined")


scope = sentry_sdk.get_isolation_scope()
scope.start_session(session_mode="application")

try:
    pay()
except ValueError as error:
    sentry_sdk.capture_exception(error)

sentry_sdk.capture_message("The till is low on paper", level="warning")
scope.end_session()
sentry_sdk.flush(timeout=10)
