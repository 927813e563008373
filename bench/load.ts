import { connect, type Socket } from 'node:net'
import { percentile } from './percentiles.ts'

export interface Load {
  port: number
  connections: number
  seconds: number
  /** The bytes of one request; `ok` is called when the response is 200 or 202. */
  request: () => { bytes: Buffer; ok?: () => void }
  /** Requests per second; unlimited by default. */
  rate?: number
  /** Stops early. */
  isOver?: () => boolean
}

export interface Outcome {
  seconds: number
  answered: Record<string, number>
  perSecond: number
  p50: number
  p99: number
}

/** Longer than the pause after a 429. */
const timeoutMs = 40_000

/** Sends requests to a local port over keep-alive connections, one request at a time per connection. */
export async function load({ port, connections, seconds, request, rate, isOver = () => false }: Load): Promise<Outcome> {
  const answered: Record<string, number> = {}
  const latencies: number[] = []
  const startedAt = performance.now()
  const endsAt = startedAt + seconds * 1000
  let sent = 0

  const run = () =>
    new Promise<void>(resolve => {
      const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true })
      let sentAt = 0
      let ok: (() => void) | undefined
      let rest = ''
      let isSent = false
      const count = (how: string) => {
        answered[how] = (answered[how] ?? 0) + 1
      }

      const send = () => {
        const now = performance.now()

        if (now >= endsAt || isOver()) return socket.end()
        const due = rate ? startedAt + (sent / rate) * 1000 : now
        if (due > now) return void setTimeout(send, due - now)
        const made = request()

        sent++
        ok = made.ok
        sentAt = performance.now()
        isSent = true
        socket.write(made.bytes)
      }

      socket.on('connect', send)
      socket.on('data', chunk => {
        rest += chunk.toString('latin1')
        const end = rest.indexOf('\r\n\r\n')
        if (end === -1) return
        const head = rest.slice(0, end)
        const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
        if (rest.length < end + 4 + length) return
        const status = head.slice(9, 12)

        rest = ''
        isSent = false
        latencies.push(performance.now() - sentAt)
        count(status)
        if (status === '200' || status === '202') ok?.()
        // Pauses like an SDK.
        const seconds = status === '429' ? Number(/retry-after: (\d+)/i.exec(head)?.[1] ?? 0) : 0

        if (seconds > 0) setTimeout(send, seconds * 1000)
        else send()
      })
      socket.on('error', error => (error as NodeJS.ErrnoException).syscall === 'connect' && count('refused'))
      // A server that does not respond must not block the end.
      socket.setTimeout(timeoutMs, () => socket.destroy())
      socket.on('close', () => {
        if (isSent) count('unanswered')
        resolve()
      })
    })

  // Reconnect when the server is killed.
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (performance.now() < endsAt && !isOver()) {
        await run()
        if (performance.now() < endsAt && !isOver()) await new Promise(resolve => setTimeout(resolve, 50))
      }
    })
  )
  const elapsed = (performance.now() - startedAt) / 1000

  return {
    seconds: elapsed,
    answered,
    perSecond: Math.round((answered['200'] ?? 0) / elapsed),
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99)
  }
}

export function post(path: string, body: Buffer) {
  const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-sentry-envelope\r\nContent-Encoding: gzip\r\nContent-Length: ${body.length}\r\n\r\n`

  return Buffer.concat([Buffer.from(head), body])
}
