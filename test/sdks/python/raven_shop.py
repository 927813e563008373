# The client from before sentry-sdk: it posts to the store endpoint, deflated.
import os

from raven import Client

client = Client(os.environ["SENTRY_DSN"], release="shop@1.2.3", environment="testing", tags={"till": "4"})
client.user_context({"id": "17", "email": "ann@example.com"})
client.context.activate()
client.captureBreadcrumb(category="cart", message="The cart was opened")


def pay():
    try:
        charge()
    except KeyError as cause:
        raise ValueError(f"Order {os.environ['ORDER']} was not paid") from cause


def charge():
    raise KeyError("The card was declined")


try:
    pay()
except ValueError:
    client.captureException()

client.captureMessage("The till is low on paper", level="warning")
