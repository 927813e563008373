/** What webhooks of projects and groups can be sent. Kinds that do not exist here can be chosen, and never come. */
export const projectFlags = [
  'push_events',
  'tag_push_events',
  'issues_events',
  'confidential_issues_events',
  'note_events',
  'confidential_note_events',
  'merge_requests_events',
  'job_events',
  'pipeline_events',
  'wiki_page_events',
  'releases_events',
  'milestone_events',
  'feature_flag_events',
  'deployment_events',
  'emoji_events',
  'member_events',
  'resource_access_token_events',
  'vulnerability_events'
] as const

export const groupFlags = [...projectFlags, 'subgroup_events', 'project_events'] as const

/** System hooks are also sent everything about projects, groups, users and keys. */
export const systemFlags = ['push_events', 'tag_push_events', 'merge_requests_events', 'repository_update_events'] as const

export type WebhookFlag = (typeof groupFlags)[number] | (typeof systemFlags)[number]

/** A request that webhooks with a flag are sent. */
export interface Notice {
  /** Undefined for what system hooks are always sent. */
  flag?: WebhookFlag
  /** Only system hooks are sent it, or only others, or all. */
  audience: 'system' | 'resource' | 'all'
  /** The header `X-Gitlab-Event`. */
  name: string
  payload: Record<string, unknown>
  /** The branch of a push, for filters. */
  branch?: string
}
