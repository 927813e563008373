import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'

export const token = 'the token of the tracker'

/** A tracker with Sentry's API: one project, one token, and some addresses that answer otherwise. */
export async function openTracker(t: Test) {
  const server = createServer((request, response) => {
    if (request.url === '/elsewhere/') return response.writeHead(302, { location: '/api/0/projects/shop/web/' }).end()
    if (request.url === '/page/') return response.end('<html>')
    if (request.url === '/broken/') return response.writeHead(500).end()
    if (request.url !== '/api/0/projects/shop/web/') return response.writeHead(404).end('{}')
    if (request.headers.authorization !== `Bearer ${token}`) return response.writeHead(401).end('{}')

    return response.end(JSON.stringify({ name: 'Web', slug: 'web', organization: { name: 'Shop', slug: 'shop' } }))
  })
  const close = () => {
    server.closeAllConnections()
    server.close()
  }

  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(close)

  return { host: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close }
}
