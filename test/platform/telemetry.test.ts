import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import t from 'tap'
import { anEnvelope, openProject } from '../support/factories.ts'
import { eventually } from '../support/world.ts'

t.test("traces are exported to the endpoint of OpenTelemetry's variables", async t => {
  const received: string[] = []
  const collector = createServer((request, response) => {
    const chunks: Buffer[] = []

    request.on('data', chunk => chunks.push(chunk))
    request.on('end', () => {
      received.push(`${request.url} ${Buffer.concat(chunks).toString('latin1')}`)
      response.end('{}')
    })
  })

  await new Promise<void>(resolve => collector.listen(0, '127.0.0.1', resolve))
  t.teardown(() => collector.close())
  const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`

  // The SDK reads these itself.
  Object.assign(process.env, {
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    OTEL_BSP_SCHEDULE_DELAY: '50',
    OTEL_METRICS_EXPORTER: 'none',
    OTEL_LOGS_EXPORTER: 'none'
  })
  const { send, untilStored } = await openProject(t, { env: { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } })

  await send(anEnvelope())
  await untilStored(1)
  const has = (word: string) => received.some(body => body.startsWith('/v1/traces') && body.includes(word))

  await eventually(() => has('/envelope') && has('errors.receive'), 'the request and the job are in the traces')
  t.ok(has('tocsin'), 'under the name of the service')
})
