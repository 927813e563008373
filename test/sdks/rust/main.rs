use std::{env, error::Error, fmt, time::Duration};

#[derive(Debug)]
struct Unpaid {
    order: String,
    cause: Declined,
}

#[derive(Debug)]
struct Declined;

impl fmt::Display for Unpaid {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "Order {} was not paid", self.order)
    }
}

impl fmt::Display for Declined {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "The card was declined")
    }
}

impl Error for Declined {}

impl Error for Unpaid {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&self.cause)
    }
}

fn main() {
    let guard = sentry::init((
        env::var("SENTRY_DSN").unwrap(),
        sentry::ClientOptions::new()
            .release("shop@1.2.3")
            .environment("testing")
            .attach_stacktrace(true),
    ));
    sentry::configure_scope(|scope| {
        scope.set_user(Some(sentry::User {
            id: Some("17".into()),
            email: Some("ann@example.com".into()),
            ..Default::default()
        }));
        scope.set_tag("till", "4");
    });
    sentry::add_breadcrumb(sentry::Breadcrumb {
        category: Some("cart".into()),
        message: Some("The cart was opened".into()),
        ..Default::default()
    });
    sentry::start_session();

    pay(env::var("ORDER").unwrap());

    sentry::capture_message("The till is low on paper", sentry::Level::Warning);
    sentry::end_session();
    guard.close(Some(Duration::from_secs(10)));
}

#[inline(never)]
fn pay(order: String) {
    sentry::capture_error(&Unpaid { order, cause: Declined });
}
