import type { Telemetry } from 'bullmq'

export interface Tracing {
  queues: Telemetry
  close: () => Promise<void>
}

/** Tracing with OpenTelemetry, configured by its own variables (OTEL_…). Loaded only when they are set: the SDK is large. */
export async function openTracing(serviceName: string): Promise<Tracing> {
  const [{ NodeSDK }, { BullMQOtel }] = await Promise.all([import('@opentelemetry/sdk-node'), import('bullmq-otel')])
  const sdk = new NodeSDK({ serviceName })

  sdk.start()

  return { queues: new BullMQOtel({ tracerName: 'tocsin' }), close: () => sdk.shutdown() }
}
