import * as Sentry from '@sentry/node'

Sentry.init({ dsn: process.env.SENTRY_DSN, release: 'shop@1.2.3', environment: 'testing' })
Sentry.setUser({ id: '17', email: 'ann@example.com' })
Sentry.setTag('till', '4')
Sentry.addBreadcrumb({ category: 'cart', message: 'The cart was opened' })

function pay(order) {
  try {
    charge()
  } catch (cause) {
    throw new Error(`Order ${order} was not paid`, { cause })
  }
}

function charge() {
  throw new TypeError('The card was declined')
}

try {
  pay(process.env.ORDER)
} catch (error) {
  Sentry.captureException(error)
}

Sentry.captureMessage('The till is low on paper', 'warning')
await Sentry.flush(10_000)
