import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import type { ConnectionError, FastifyReply, FastifyRequest } from 'fastify'
import { AddressTooLong, Problem, sendProblem } from './problems.ts'

/** Time to read the answer. A reset, which discards it, follows when the client is still sending. */
const lingerMs = 2000

/** Server options that answer malformed and too slow HTTP requests in the REST API's format. */
export const brokenRequests = {
  // Headers large enough that a request with a too long URL can be answered. `limitBodyTime` bounds the rest of a request.
  http: { maxHeaderSize: 32_768, headersTimeout: 60_000 },
  frameworkErrors: (error: { statusCode?: number }, request: FastifyRequest, reply: FastifyReply) => {
    sendProblem(reply.header('x-request-id', request.id), error.statusCode === 414 ? new AddressTooLong() : badRequest())
  },
  clientErrorHandler: (error: ConnectionError, socket: Socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return
    const { status, body } = toProblem(error)
    const text = JSON.stringify(body)

    socket.end(
      `HTTP/1.1 ${status} ${(body as { error: string }).error.slice(4)}\r\nContent-Type: application/json\r\n` +
        `Content-Length: ${Buffer.byteLength(text)}\r\nX-Request-Id: ${randomUUID()}\r\nConnection: close\r\n\r\n${text}`
    )
    closeLate(socket)
  }
}

/** Until the client closes its side, too, the connection is only half closed: one that sends for ever would keep it. */
function closeLate(socket: Socket) {
  const timer = setTimeout(() => socket.destroy(), lingerMs)

  socket.once('close', () => clearTimeout(timer))
}

function toProblem({ code, rawPacket }: ConnectionError) {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new Problem(408, { error: '408 Request Timeout' })
  if (code !== 'HPE_HEADER_OVERFLOW') return badRequest()

  return isInUrl(rawPacket) ? new AddressTooLong() : new Problem(431, { error: '431 Request Header Fields Too Large' })
}

/** Node does not report which line was too long. Without a line break it was the request line. */
function isInUrl(packet: unknown) {
  return Buffer.isBuffer(packet) && !packet.includes('\r\n')
}

function badRequest() {
  return new Problem(400, { error: '400 Bad Request' })
}
