import type { IntegrationKind } from '#alerts/integrations/integration.ts'

export const kindTexts: Record<IntegrationKind, { name: string; description: string; isDeprecated?: true }> = {
  http: {
    name: 'HTTP endpoint',
    description: 'For anything that sends JSON: uptime checks, scripts, cloud services. A mapping reads its fields.'
  },
  prometheus: {
    name: 'Alertmanager or Grafana',
    description: 'For Prometheus with Alertmanager, and for Grafana, which send groups of alerts.'
  },
  on_call: {
    name: 'On-call link',
    description: 'A link to an external on-call tool. It receives no alerts, and cannot be active together with other integrations.',
    isDeprecated: true
  }
}
