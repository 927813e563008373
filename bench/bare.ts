import { createServer } from 'node:http'

/** The baseline of all benchmarks: a server that reads the request and sends a fixed response. */
const server = createServer((request, response) => {
  request.on('data', () => {})
  request.on('end', () => {
    const body = '{"id":"00000000000000000000000000000000"}'

    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length })
    response.end(body)
  })
}).listen(Number(process.argv[2]), '127.0.0.1', () => process.send?.({ ready: true }))

process.on('disconnect', () => server.close(() => process.exit(0)))
process.on('SIGTERM', () => process.exit(0))
