import Type from 'typebox'

type Format = 'text' | 'url' | 'emails' | 'flag'

export interface Field {
  format: Format
  isRequired?: true
  /** Encrypted and never returned. Always required, so that it is given anew when an address beside it changes. */
  isSecret?: true
}

export interface IntegrationType {
  title: string
  fields: Record<string, Field>
}

const text = { format: 'text' } as const
const flag = { format: 'flag' } as const
const url = { format: 'url', isRequired: true } as const
const token = { format: 'text', isRequired: true, isSecret: true } as const
const webhook = { format: 'url', isRequired: true, isSecret: true } as const

const chat = { webhook, notify_only_broken_pipelines: flag, branches_to_be_notified: text }
const channels = ['push', 'issue', 'incident', 'alert', 'note', 'tag_push', 'deployment', 'pipeline', 'wiki_page'].map(
  kind => [`${kind}_channel`, text] as const
)
const chatWithChannels = { ...chat, username: text, channel: text, ...Object.fromEntries(channels) }
const tracker = { project_url: url, issues_url: url }

/** By slug, with GitLab's titles and fields. */
export const integrationTypes: Record<string, IntegrationType> = {
  asana: { title: 'Asana', fields: { api_key: token, restrict_to_branch: text } },
  bugzilla: { title: 'Bugzilla', fields: { ...tracker, new_issue_url: url } },
  'custom-issue-tracker': { title: 'Custom issue tracker', fields: { ...tracker, new_issue_url: url } },
  discord: { title: 'Discord Notifications', fields: chat },
  'emails-on-push': {
    title: 'Emails on push',
    fields: {
      recipients: { format: 'emails', isRequired: true },
      disable_diffs: flag,
      send_from_committer_email: flag,
      branches_to_be_notified: text
    }
  },
  'external-wiki': { title: 'External wiki', fields: { external_wiki_url: url } },
  'hangouts-chat': { title: 'Google Chat', fields: chat },
  mattermost: { title: 'Mattermost notifications', fields: chatWithChannels },
  'microsoft-teams': { title: 'Microsoft Teams notifications', fields: chat },
  pushover: {
    title: 'Pushover',
    fields: { api_key: token, user_key: token, priority: { format: 'text', isRequired: true }, device: text, sound: text }
  },
  redmine: { title: 'Redmine', fields: { ...tracker, new_issue_url: url } },
  slack: { title: 'Slack notifications', fields: chatWithChannels },
  telegram: {
    title: 'Telegram',
    fields: { token, room: { format: 'text', isRequired: true }, hostname: { format: 'url' }, thread: text, ...rest(chat) }
  },
  'webex-teams': { title: 'Webex Teams', fields: chat },
  youtrack: { title: 'YouTrack', fields: tracker }
}

/** Which events an integration reports, with GitLab's defaults. */
export const eventDefaults = {
  commit_events: true,
  push_events: true,
  issues_events: true,
  incident_events: false,
  alert_events: false,
  confidential_issues_events: true,
  merge_requests_events: true,
  tag_push_events: true,
  deployment_events: false,
  note_events: true,
  confidential_note_events: true,
  pipeline_events: false,
  wiki_page_events: true,
  job_events: false,
  comment_on_event_enabled: true
}

export type IntegrationEvents = typeof eventDefaults

/** Every field of every type: a type ignores those of others. */
export const integrationFields = Object.fromEntries(
  Object.values(integrationTypes).flatMap(({ fields }) =>
    Object.entries(fields).map(([name, { format }]) => [
      name,
      Type.Optional(format === 'flag' ? Type.Boolean() : Type.String({ maxLength: 2000 }))
    ])
  )
)

function rest({ webhook, ...fields }: typeof chat) {
  return fields
}
