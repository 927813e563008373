import type { IntegrationKind } from '#alerts/integrations/integration.ts'
import type { Preset } from '#alerts/presets/preset.ts'
import { findPreset, presets } from '#alerts/presets/presets.ts'
import { alertmanager, grafana, prometheus } from './metrics-recipes.ts'
import { type Credentials, header, type Recipe, senderRecipes, urlWithKey } from './sender-recipes.ts'

/** Those of the preset. Without one, the tools that need none come first, and of these the best matches. */
export function recipesFor(kind: IntegrationKind, credentials: Credentials, preset?: string | null): Recipe[] {
  const metrics = [alertmanager(credentials), prometheus(), grafana(credentials)]
  const otherTools = [curl(credentials), uptimeKuma(credentials), uptime(credentials)]
  const sender = findPreset(preset)

  if (sender) return recipesOfSender(sender, credentials)

  return kind === 'prometheus' ? [...metrics, ...otherTools] : [...otherTools, ...metrics, ...senders(credentials, otherTools)]
}

/** Without the tools that have a recipe already. */
function senders(credentials: Credentials, others: Recipe[]) {
  const named = presets.filter(({ kind, label }) => kind === 'http' && others.every(({ title }) => title !== label))

  return named.flatMap(sender => recipesOfSender(sender, credentials))
}

function recipesOfSender({ name, label }: Preset, credentials: Credentials): Recipe[] {
  const recipe = senderRecipes[name]

  if (recipe) return [{ title: label, preset: name, ...recipe(credentials) }]
  if (name === 'grafana') return [grafana(credentials)]

  return [alertmanager(credentials), prometheus()]
}

function curl({ url, key }: Credentials): Recipe {
  return {
    title: 'curl',
    summary: 'A script, a cron job, or a first try from a terminal.',
    steps: ['A payload with the same fingerprint and an end time resolves the alert.'],
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
    summary: 'A webhook for monitors that go down and recover.',
    steps: ['Add a notification of the type Webhook with this custom body, for both down and up, and additional headers.'],
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

function uptime(credentials: Credentials): Recipe {
  return {
    title: 'Other uptime checks',
    summary: 'Any check that sends JSON to a URL, with or without headers.',
    steps: [
      'Let the check send the first body when the site is down and the second when it is up again, with the tool’s placeholders for the names. Both need the same fingerprint, and only the second has an end time.',
      'For tools without custom headers, put the key into the URL. It may then appear in logs.'
    ],
    blocks: [
      { name: 'When it is down', text: `{"title": "shop.example.com is down", "severity": "critical", "fingerprint": "shop.example.com"}` },
      {
        name: 'When it is up again',
        text: `{"title": "shop.example.com is down", "fingerprint": "shop.example.com", "end_time": "2026-01-31T12:00:00Z"}`
      },
      header(credentials),
      urlWithKey(credentials)
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
