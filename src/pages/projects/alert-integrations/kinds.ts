import type { IntegrationKind } from '../../../alerts/integrations/integration.ts'

/** What there is to choose from, in words. */
export const kindTexts: Record<IntegrationKind, { name: string; about: string; isDeprecated?: true }> = {
  http: {
    name: 'HTTP endpoint',
    about: 'For whatever can send JSON: uptime checks, scripts, cloud services. You choose which of its fields mean what.'
  },
  prometheus: { name: 'Metrics', about: 'For Prometheus with Alertmanager, and for Grafana, which send groups of alerts.' },
  on_call: {
    name: 'On-call link',
    about: 'A link to an on-call tool elsewhere. It receives nothing, and cannot be active beside other integrations.',
    isDeprecated: true
  }
}
