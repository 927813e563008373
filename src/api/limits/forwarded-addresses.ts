import { isIP, isIPv4 } from 'node:net'
import type { FastifyInstance } from 'fastify'

/**
 * Keeps only addresses in X-Forwarded-For. Fastify accepts any text as the client's address, and limits would count each
 * text as another client.
 */
export function readForwardedAddresses(app: FastifyInstance) {
  app.addHook('onRequest', ({ headers }, _reply, done) => {
    const forwarded = headers['x-forwarded-for']

    if (forwarded !== undefined) headers['x-forwarded-for'] = addressesIn(String(forwarded)).join(', ')
    done()
  })
}

/** Proxies append: what stands before something unreadable did not come from a proxy of ours. */
function addressesIn(forwarded: string) {
  const addresses = forwarded
    .split(',')
    .map(part => part.trim())
    .filter(Boolean)
    .map(addressOf)

  return addresses.slice(addresses.lastIndexOf(undefined) + 1)
}

/** Some proxies add the port, which differs for each connection. */
function addressOf(text: string) {
  if (isIP(text)) return text
  const [, bracketed = '', withPort = ''] = /^(?:\[([\da-f:.]+)\](?::\d+)?|([\d.]+):\d+)$/i.exec(text) ?? []

  return isIP(bracketed) ? bracketed : isIPv4(withPort) ? withPort : undefined
}
