import type { IntegrationKind } from '#alerts/integrations/integration.ts'

/** The payload to test with when the integration has no sample. */
export function examplePayload(kind: IntegrationKind, at: Date) {
  return JSON.stringify(kind === 'prometheus' ? metrics(at) : generic, null, 2)
}

const generic = {
  title: 'A test alert',
  description: 'Sent manually to test the integration.',
  severity: 'low',
  service: 'tests',
  fingerprint: 'test-alert'
}

/** In Alertmanager's format. */
function metrics(at: Date) {
  const labels = { alertname: 'TestAlert', severity: 'info' }

  return {
    version: '4',
    groupKey: '{}:{alertname="TestAlert"}',
    receiver: 'tocsin',
    status: 'firing',
    externalURL: 'http://localhost:9093',
    groupLabels: { alertname: 'TestAlert' },
    commonLabels: labels,
    commonAnnotations: {},
    alerts: [
      {
        status: 'firing',
        labels,
        annotations: { title: 'A test alert', description: 'Sent manually to test the integration.' },
        startsAt: at.toISOString(),
        endsAt: '0001-01-01T00:00:00Z',
        fingerprint: '0123456789abcdef'
      }
    ]
  }
}
