// The client from before @sentry/node: it posts to the store endpoint, deflated and in base64.
const Raven = require('raven')

Raven.config(process.env.SENTRY_DSN, { release: 'shop@1.2.3', environment: 'testing' }).install()
Raven.setContext({ user: { id: '17', email: 'ann@example.com' }, tags: { till: '4' } })
Raven.captureBreadcrumb({ category: 'cart', message: 'The cart was opened' })

function pay(order) {
  throw new Error(`Order ${order} was not paid`)
}

try {
  pay(process.env.ORDER)
} catch (error) {
  Raven.captureException(error)
}

Raven.captureMessage('The till is low on paper', { level: 'warning' })
