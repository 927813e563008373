import type { IntegrationKind } from '../../../alerts/integrations/integration.ts'

export interface Credentials {
  url: string
  key: string
}

/** How to make one tool send its alerts: what to do, and what to copy. */
export interface Recipe {
  title: string
  steps: string[]
  blocks: { name: string; text: string }[]
}

/** Every tool may send to every address; those that fit best come first. */
export function recipesFor(kind: IntegrationKind, credentials: Credentials): Recipe[] {
  const metrics = [alertmanager(credentials), prometheus(), grafana(credentials)]
  const others = [curl(credentials), uptimeKuma(credentials), uptime(credentials)]

  return kind === 'prometheus' ? [...metrics, ...others] : [...others, ...metrics]
}

function alertmanager({ url, key }: Credentials): Recipe {
  return {
    title: 'Alertmanager',
    steps: ['As a alertDetails configuration; where there is one already, take over the receiver and let a route lead to it.'],
    blocks: [
      {
        name: 'alertmanager.yml',
        text: `route:
  receiver: tocsin
  group_by: [alertname]
  group_wait: 10s
  group_interval: 1m
  repeat_interval: 4h
receivers:
  - name: tocsin
    webhook_configs:
      - url: ${yamlString(url)}
        send_resolved: true
        http_config:
          authorization:
            type: Bearer
            credentials: ${yamlString(key)}
`
      }
    ]
  }
}

function prometheus(): Recipe {
  return {
    title: 'Prometheus rule',
    steps: ['Prometheus fires, and Alertmanager (above) sends. Labels and annotations with these names are shown in their places.'],
    blocks: [
      {
        name: 'prometheus.yml, beside what is there',
        text: `rule_files: [tocsin.rules.yml]
alerting:
  alertmanagers:
    - static_configs:
        - targets: ['localhost:9093']
`
      },
      {
        name: 'tocsin.rules.yml',
        text: `groups:
  - name: availability
    rules:
      - alert: InstanceDown
        expr: up == 0
        for: 2m
        labels:
          severity: critical
          service_environment_name: production
        annotations:
          title: '{{ $labels.instance }} is down'
          description: '{{ $labels.job }} has not answered for two minutes.'
          runbook: https://example.com/runbooks/instance-down
`
      }
    ]
  }
}

function grafana({ url, key }: Credentials): Recipe {
  return {
    title: 'Grafana contact point',
    steps: [
      'Under Alerting, Contact points, add one with the integration Webhook: the URL of above, the authorization header’s scheme Bearer, and the key as its credentials. Then let a notification policy lead to it.',
      'Or as a file that Grafana reads when it starts:'
    ],
    blocks: [
      {
        name: 'provisioning/alerting/tocsin.yml',
        text: `apiVersion: 1
contactPoints:
  - orgId: 1
    name: Tocsin
    receivers:
      - uid: tocsin
        type: webhook
        disableResolveMessage: false
        settings:
          url: ${yamlString(url)}
          httpMethod: POST
          authorization_scheme: Bearer
          authorization_credentials: ${yamlString(key)}
`
      }
    ]
  }
}

function curl({ url, key }: Credentials): Recipe {
  return {
    title: 'curl',
    steps: ['The same fingerprint with an end time resolves what it opened.'],
    blocks: [
      {
        name: 'Open an alert',
        text: post({ url, key }, `{"title": "Disk is almost full", "severity": "high", "hosts": ["db-1"], "fingerprint": "disk-db-1"}`)
      },
      {
        name: 'Resolve it',
        text: post(
          { url, key },
          `{"title": "Disk is almost full", "fingerprint": "disk-db-1", "end_time": "'"$(date -u +%Y-%m-%dT%H:%M:%SZ)"'"}`
        )
      }
    ]
  }
}

function uptimeKuma({ url, key }: Credentials): Recipe {
  return {
    title: 'Uptime Kuma',
    steps: ['A notification of the type Webhook, with a custom body and additional headers. One body does for down and up.'],
    blocks: [
      { name: 'Post URL', text: url },
      {
        name: 'Custom body',
        text: `{
  "title": {{ name | json }},
  "description": {{ msg | json }},
  "severity": "critical",
  "monitoring_tool": "Uptime Kuma",
  "hosts": [{{ hostnameOrURL | json }}],
  {% if heartbeatJSON.status == 1 %}"end_time": "{{ heartbeatJSON.time }}Z",{% endif %}
  "fingerprint": {{ name | json }}
}`
      },
      { name: 'Additional headers', text: JSON.stringify({ Authorization: `Bearer ${key}` }) }
    ]
  }
}

function uptime({ url, key }: Credentials): Recipe {
  const { protocol, host, pathname } = new URL(url)

  return {
    title: 'Other uptime checks',
    steps: [
      'Let the check send one body when something is down and the other when it is up again, with its own placeholders for the names. What matters is that both have the same fingerprint, and that only the second has an end time.',
      'Where a tool has no place for headers, the key can stand in the address. Others may see it there, in logs for example.'
    ],
    blocks: [
      { name: 'When it is down', text: `{"title": "shop.example.com is down", "severity": "critical", "fingerprint": "shop.example.com"}` },
      {
        name: 'When it is up again',
        text: `{"title": "shop.example.com is down", "fingerprint": "shop.example.com", "end_time": "2026-01-31T12:00:00Z"}`
      },
      { name: 'Header', text: `Authorization: Bearer ${key}` },
      { name: 'Address with the key in it', text: `${protocol}//tocsin:${key}@${host}${pathname}` }
    ]
  }
}

function post({ url, key }: Credentials, json: string) {
  return `curl --fail-with-body --request POST \\
  --header 'Authorization: Bearer ${key}' \\
  --header 'Content-Type: application/json' \\
  --data '${json}' \\
  '${url}'`
}

/** As YAML has it between single quotes. */
function yamlString(text: string) {
  return `'${text.replaceAll("'", "''")}'`
}
