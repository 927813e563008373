import type { Credentials, Recipe } from './sender-recipes.ts'

export function alertmanager({ url, key }: Credentials): Recipe {
  return {
    title: 'Alertmanager',
    summary: 'The receiver that Prometheus sends its alerts through.',
    steps: ['A complete configuration. In an existing one, add the receiver and a route to it.'],
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

export function prometheus(): Recipe {
  return {
    title: 'Prometheus rule',
    summary: 'A rule whose labels and annotations become attributes of the alert.',
    steps: ['Prometheus fires the alert, and Alertmanager sends it. These labels and annotations become attributes of the alert.'],
    blocks: [
      {
        name: 'prometheus.yml, added to the existing settings',
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

export function grafana({ url, key }: Credentials): Recipe {
  return {
    title: 'Grafana contact point',
    summary: 'For the alert rules of Grafana 9 and later.',
    steps: [
      'Under Alerting, Contact points, add a contact point with the integration Webhook: the URL above, the authorization header’s scheme Bearer, and the key as its credentials. Then add a notification policy for it.',
      'Or as a provisioning file:'
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

function yamlString(text: string) {
  return `'${text.replaceAll("'", "''")}'`
}
