import type { Telemetry } from 'bullmq'

export interface Tracing {
  queues: Telemetry
  close: () => Promise<void>
}

/**
 * Switched on by OpenTelemetry's own variables (OTEL_EXPORTER_OTLP_ENDPOINT and the like), which its
 * SDK reads. Loaded only then: it is larger than all the rest.
 */
export async function openTracing(serviceName: string): Promise<Tracing> {
  const [{ NodeSDK }, { BullMQOtel }] = await Promise.all([import('@opentelemetry/sdk-node'), import('bullmq-otel')])
  const sdk = new NodeSDK({ serviceName })

  sdk.start()

  return { queues: new BullMQOtel({ tracerName: 'tocsin' }), close: () => sdk.shutdown() }
}
