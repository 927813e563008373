import type { ChannelKind } from '#notifications/channels/web-channels.ts'

export interface KindField {
  name: string
  label: string
  /** Where to find it. */
  hint: string
  /** Instead of the reason that the schema gives. */
  invalid: string
  placeholder?: string
  isOptional?: true
  /** Stored encrypted and not shown again. */
  isSecret?: true
}

interface KindText {
  name: string
  description: string
  fields: KindField[]
}

const noUrl = 'Enter the whole URL, with https://, and without a user name or password.'

/** How each kind of channel is shown, and where its few values are found. */
export const kindTexts: Record<ChannelKind, KindText> = {
  email: { name: 'E-mail', description: 'To members, assignees, and other addresses such as a mailing list.', fields: [] },
  slack: {
    name: 'Slack',
    description: 'To a channel in a Slack workspace.',
    fields: [
      webhookUrl(
        'https://hooks.slack.com/services/…',
        'In Slack: api.slack.com/apps → your app → Incoming Webhooks → Add New Webhook to Workspace. Choose the channel and copy the URL.'
      )
    ]
  },
  teams: {
    name: 'Microsoft Teams',
    description: 'To a channel in a team.',
    fields: [
      webhookUrl(
        'https://….logic.azure.com/workflows/…',
        'In Teams: the menu of the channel → Workflows → “Post to a channel when a webhook request is received”. Copy the URL at the end.'
      )
    ]
  },
  mattermost: {
    name: 'Mattermost',
    description: 'To a channel on a Mattermost server.',
    fields: [
      webhookUrl(
        'https://mattermost.example.com/hooks/…',
        'In Mattermost: Integrations → Incoming Webhooks → Add Incoming Webhook. Choose the channel and copy the URL.'
      )
    ]
  },
  discord: {
    name: 'Discord',
    description: 'To a channel on a Discord server.',
    fields: [
      webhookUrl(
        'https://discord.com/api/webhooks/…',
        'In Discord: Edit Channel → Integrations → Webhooks → New Webhook → Copy Webhook URL.'
      )
    ]
  },
  pagerduty: {
    name: 'PagerDuty',
    description: 'To the on-call schedule of a service. A resolved alert resolves its incident.',
    fields: [
      {
        name: 'routing_key',
        label: 'Integration key',
        hint: 'In PagerDuty: Services → the service → Integrations → Add an integration → Events API V2. It has 32 characters.',
        invalid: 'Enter the integration key: 32 letters and digits.',
        isSecret: true
      },
      {
        ...webhookUrl('https://events.pagerduty.com/v2/enqueue', 'Only for the EU region: https://events.eu.pagerduty.com/v2/enqueue'),
        label: 'URL (optional)',
        isOptional: true
      }
    ]
  },
  ntfy: {
    name: 'ntfy',
    description: 'To phones that subscribe to a topic, through ntfy.sh or your own server.',
    fields: [
      { ...webhookUrl('https://ntfy.sh', 'https://ntfy.sh, or the address of your own server.'), label: 'Server' },
      {
        name: 'topic',
        label: 'Topic',
        placeholder: 'shop-errors-7f3k9q',
        hint: 'The topic that the phones subscribe to. On ntfy.sh, anyone who guesses it can read it.',
        invalid: 'Use 1 to 64 letters, digits, “-” and “_”.'
      },
      {
        name: 'token',
        label: 'Access token (optional)',
        hint: 'If the topic is protected. In ntfy: Account → Access tokens.',
        invalid: 'Use at most 500 characters.',
        isOptional: true,
        isSecret: true
      }
    ]
  },
  webhook: {
    name: 'Signed webhook',
    description: 'To your own program. Each request is signed according to Standard Webhooks.',
    fields: [webhookUrl('https://example.com/hooks/tocsin', 'Receives a POST with JSON, signed with a secret of the channel.')]
  }
}

function webhookUrl(placeholder: string, hint: string): KindField {
  return { name: 'url', label: 'URL', placeholder, hint, invalid: noUrl, isSecret: true }
}
