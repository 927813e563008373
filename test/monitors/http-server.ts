import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Test } from 'tap'

interface Asked {
  method: string
  url: string
  headers: IncomingHttpHeaders
}

type Answer = (response: ServerResponse, asked: Asked) => void

/** A server on 127.0.0.1 that notes what it is asked. `answer` may be replaced. */
export async function openTarget(t: Test, answer: Answer = response => response.end('all ok'), tls?: { key: Buffer; cert: Buffer }) {
  const target = { asked: [] as Asked[], answer, url: '' }
  const listener: Parameters<typeof createServer>[1] = ({ method = '', url = '', headers }, response) => {
    target.asked.push({ method, url, headers })
    target.answer(response, { method, url, headers })
  }
  const server = tls ? createTlsServer(tls, listener) : createServer(listener)

  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => {
    server.closeAllConnections()
    server.close()
  })
  target.url = `${tls ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}/`

  return target
}
