import { datadogPayload, icingaCommand, icingaScript, zabbixParameters, zabbixScript } from './sender-scripts.ts'

export interface Credentials {
  url: string
  key: string
}

/** How to configure a monitoring tool: steps, and texts to copy. */
export interface Recipe {
  title: string
  /** What it is for, in the list of tools. */
  summary: string
  steps: string[]
  blocks: { name: string; text: string }[]
  /** The preset that reads what the tool sends; undefined when none is needed. */
  preset?: string
}

type SenderRecipe = (credentials: Credentials) => Omit<Recipe, 'title'>

/** How to configure the senders whose presets need no other recipe, by preset. */
export const senderRecipes: Record<string, SenderRecipe> = {
  azure: credentials => ({
    summary: 'Alerts of Azure Monitor, by an action group.',
    steps: [
      'In Azure Monitor, under Alerts, Action groups, add an action of the type Webhook with this URI, and enable the common alert schema.',
      'Action groups send no headers, so the key is in the URI. Where credentials in the URI are not allowed, let a Logic App forward the body with the header.'
    ],
    blocks: [urlWithKey(credentials), header(credentials)]
  }),
  cloudwatch: credentials => ({
    summary: 'Alarms of AWS, by SNS or EventBridge.',
    steps: [
      'By SNS: add a subscription with the protocol HTTPS and the URL with the key to the topic of your alarms, for both the state ALARM and the state OK. It is confirmed within seconds.',
      'By EventBridge: create an API destination with the URL, the method POST and a connection of the type API key (name Authorization, value as below), and a rule with this pattern.'
    ],
    blocks: [
      urlWithKey(credentials),
      { name: 'URL', text: credentials.url },
      { name: 'Value of the API key', text: `Bearer ${credentials.key}` },
      { name: 'Event pattern', text: json({ source: ['aws.cloudwatch'], 'detail-type': ['CloudWatch Alarm State Change'] }) }
    ]
  }),
  datadog: credentials => ({
    summary: 'Monitors, by the webhooks integration.',
    steps: [
      'Under Integrations, Webhooks, add a webhook named tocsin with this URL, payload and custom headers. Then add @webhook-tocsin to the message of each monitor, outside of conditions.'
    ],
    blocks: [{ name: 'URL', text: credentials.url }, { name: 'Payload', text: json(datadogPayload) }, headers(credentials)]
  }),
  gcp: credentials => ({
    summary: 'Incidents of Google Cloud alerting policies.',
    steps: [
      'Under Alerting, Edit notification channels, add a webhook with this URL, HTTP Basic Auth, any user name and the key as its password. In each policy, also notify on incident closure.'
    ],
    blocks: [
      { name: 'Endpoint URL', text: credentials.url },
      { name: 'Password', text: credentials.key }
    ]
  }),
  'grafana-8': credentials => ({
    summary: 'The classic alerts of Grafana 8 and earlier.',
    steps: [
      'Under Alerting, Notification channels, add a channel of the type webhook with this URL, the HTTP method POST, any user name and the key as its password. Leave resolve messages on.'
    ],
    blocks: [
      { name: 'Url', text: credentials.url },
      { name: 'Password', text: credentials.key }
    ]
  }),
  icinga2: credentials => ({
    summary: 'Host and service notifications, by a script.',
    steps: [
      'Save the script as /etc/icinga2/scripts/tocsin.sh and make it executable; it needs curl and jq. Then add the commands, and apply notifications with them for the types Problem and Recovery.'
    ],
    blocks: [
      { name: 'tocsin.sh', text: icingaScript(credentials) },
      { name: 'tocsin.conf', text: icingaCommand('Host') + icingaCommand('Service') }
    ]
  }),
  'new-relic': credentials => ({
    summary: 'Issues, by a destination and a workflow.',
    steps: [
      'Under Alerts, Destinations, add a webhook with this URL and the authorization Bearer token. Then add it to a workflow, with the default payload, for activated and closed issues.'
    ],
    blocks: [
      { name: 'Endpoint URL', text: credentials.url },
      { name: 'Bearer token', text: credentials.key }
    ]
  }),
  opsgenie: credentials => ({
    summary: 'Alerts, by the webhook integration.',
    steps: ['Under Settings, Integrations, add a Webhook with this URL and custom header, and let it add the alert description.'],
    blocks: [{ name: 'Webhook URL', text: credentials.url }, header(credentials)]
  }),
  pagerduty: credentials => ({
    summary: 'Incidents, by a generic webhook.',
    steps: ['Under Integrations, Generic Webhooks (v3), add a webhook with this URL and custom header, and all incident events.'],
    blocks: [{ name: 'Webhook URL', text: credentials.url }, header(credentials)]
  }),
  sentry: credentials => ({
    summary: 'Alerts of another Sentry, by an internal integration.',
    steps: [
      'Under Settings, Custom Integrations, create an internal integration with this webhook URL, the alert rule action on, the permission to read issues and events, and the webhook issue. Then add it as an action to alert rules.',
      'Sentry sends no header for authorization, so the key is in the URL.'
    ],
    blocks: [urlWithKey(credentials)]
  }),
  'uptime-kuma': credentials => ({
    summary: 'Monitors that go down and recover.',
    steps: ['Add a notification of the type Webhook with the request body Preset - application/json, and additional headers.'],
    blocks: [{ name: 'Post URL', text: credentials.url }, headers(credentials)]
  }),
  zabbix: credentials => ({
    summary: 'Problems and recoveries, by a media type.',
    steps: [
      'Under Alerts, Media types, create a media type of the type Webhook with this script and these parameters (name, then value), and a message template for problems, recoveries and updates. Then add the media to a user, and an action for it.'
    ],
    blocks: [
      { name: 'Script', text: zabbixScript },
      {
        name: 'Parameters',
        text: Object.entries(zabbixParameters(credentials))
          .map(([name, value]) => `${name} ${value}`)
          .join('\n')
      }
    ]
  })
}

export function urlWithKey({ url, key }: Credentials) {
  const { protocol, host, pathname } = new URL(url)

  return { name: 'URL with the key', text: `${protocol}//tocsin:${key}@${host}${pathname}` }
}

export function header({ key }: Credentials) {
  return { name: 'Header', text: `Authorization: Bearer ${key}` }
}

function headers({ key }: Credentials) {
  return { name: 'Headers', text: JSON.stringify({ Authorization: `Bearer ${key}` }) }
}

function json(value: object) {
  return JSON.stringify(value, null, 2)
}
