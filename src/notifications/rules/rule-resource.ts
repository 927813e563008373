import Type from 'typebox'
import { Nullable } from '#lib/nullable.ts'
import { ValidationFailed } from '#lib/refusals.ts'
import { severities } from '#lib/severity.ts'
import type { EntityManager } from '#platform/database/database.ts'
import type { EmailSettings } from '../channels/email-channel.ts'
import { NotificationChannel } from '../channels/notification-channel.ts'
import { readTagPatterns } from '../messages/read-tag-patterns.ts'
import type { ProjectResource } from '../project-resource.ts'
import { findBlindRecipients } from './check-recipients.ts'
import { NotificationRule, type Trigger, triggers } from './notification-rule.ts'

const Pattern = Type.String({ minLength: 1, maxLength: 200 })
const patterns = (description: string) => Type.Optional(Type.Array(Pattern, { maxItems: 50, description }))
const levels = ['fatal', 'error', 'warning', 'info', 'debug'] as const

const RuleBody = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 100 }),
  triggers: Type.Array(Type.Enum([...triggers]), { minItems: 1, uniqueItems: true, description: 'When notifications are sent.' }),
  channel_ids: Type.Array(Type.Integer(), { maxItems: 20, uniqueItems: true, description: 'Where they are sent.' }),
  active: Type.Optional(Type.Boolean()),
  severity_floor: Type.Optional(Nullable(Type.Enum([...severities], { description: 'The lowest severity of alerts and incidents.' }))),
  levels: Type.Optional(Type.Array(Type.Enum([...levels]), { uniqueItems: true, description: 'Error levels; all when empty.' })),
  environments: patterns('Environment patterns, in which `*` matches any text; all when empty.'),
  releases: patterns('Patterns for error releases; all when empty.'),
  tags: patterns(
    'Patterns such as `service=shop` or `cluster=eu-*` that must all match a tag of an error, or a label, the severity, service, host or monitoring_tool of an alert.'
  ),
  labels: patterns('Alias of `tags`.'),
  threshold_events: Type.Optional(
    Nullable(Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'For `error.frequent`: more events than this …' }))
  ),
  threshold_minutes: Type.Optional(Nullable(Type.Integer({ minimum: 1, maximum: 1440, description: '… within this number of minutes.' }))),
  threshold_users: Type.Optional(
    Nullable(Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'For `error.users`: more new users than this within an hour.' }))
  ),
  crash_free_percent: Type.Optional(
    Nullable(
      Type.Number({
        minimum: 0.1,
        maximum: 100,
        description: 'For `release.unhealthy`: a smaller share of the sessions ends without a crash.'
      })
    )
  ),
  unseen_hours: Type.Optional(
    Nullable(
      Type.Integer({ minimum: 1, maximum: 720, description: 'For `error.unseen`: unresolved and without an assignee for this long.' })
    )
  ),
  gather_minutes: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 1440,
      description: 'After a message, further ones are combined into one for this long, except critical and high alerts and incidents.'
    })
  )
})
type RuleBody = Type.Static<typeof RuleBody>

/** When a project sends notifications, and where. */
export const rules: ProjectResource<NotificationRule, typeof RuleBody> = {
  path: 'notification_rules',
  name: 'Notification rule',
  entity: NotificationRule,
  body: RuleBody,
  role: 'maintainer',
  maxRows: 100,
  shape: Type.Object({
    id: Type.Integer(),
    project_id: Type.Integer(),
    name: Type.String(),
    active: Type.Boolean(),
    triggers: Type.Array(Type.String()),
    channel_ids: Type.Array(Type.Integer()),
    severity_floor: Nullable(Type.String()),
    levels: Type.Array(Type.String()),
    environments: Type.Array(Type.String()),
    releases: Type.Array(Type.String()),
    tags: Type.Array(Type.String()),
    threshold_events: Nullable(Type.Integer()),
    threshold_minutes: Nullable(Type.Integer()),
    threshold_users: Nullable(Type.Integer()),
    crash_free_percent: Nullable(Type.Number()),
    unseen_hours: Nullable(Type.Integer()),
    gather_minutes: Type.Integer(),
    created_at: Type.String(),
    updated_at: Type.String()
  }),
  async read(body, { em, project, current }) {
    const values = toValues(body)

    if (values.channelIds) await checkChannels(em, project.id, values.channelIds)
    if (values.channelIds || values.triggers) await checkRecipients(em, project.id, { ...current, ...values })
    checkThresholds({ ...current, ...values })

    return values
  },
  present: row => ({
    id: row.id,
    project_id: row.projectId,
    name: row.name,
    active: row.isActive,
    triggers: row.triggers,
    channel_ids: row.channelIds,
    severity_floor: row.severityFloor ?? null,
    levels: row.levels,
    environments: row.environments,
    releases: row.releases,
    tags: row.tags,
    threshold_events: row.thresholdEvents ?? null,
    threshold_minutes: row.thresholdMinutes ?? null,
    threshold_users: row.thresholdUsers ?? null,
    crash_free_percent: row.crashFreePercent ?? null,
    unseen_hours: row.unseenHours ?? null,
    gather_minutes: row.gatherMinutes,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString()
  }),
  describe: ({ name }) => name
}

function toValues(body: Partial<RuleBody>) {
  const values = {
    name: body.name?.trim(),
    isActive: body.active,
    triggers: body.triggers,
    channelIds: body.channel_ids,
    severityFloor: body.severity_floor,
    levels: body.levels,
    environments: body.environments,
    releases: body.releases,
    tags: readTagPatterns(body),
    thresholdEvents: body.threshold_events,
    thresholdMinutes: body.threshold_minutes,
    thresholdUsers: body.threshold_users,
    crashFreePercent: body.crash_free_percent,
    unseenHours: body.unseen_hours,
    gatherMinutes: body.gather_minutes
  }

  if (values.name === '') throw new ValidationFailed({ name: ["can't be blank"] })

  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<typeof values>
}

async function checkChannels(em: EntityManager, projectId: number, ids: number[]) {
  const present = await em.find(NotificationChannel, { projectId, id: { $in: ids } })
  const unknown = ids.filter(id => !present.some(channel => channel.id === id))

  if (unknown.length > 0) throw new ValidationFailed({ channel_ids: [`${unknown.join(', ')} are not channels of the project`] })
}

/** Names the recipients who may not see what the rule reports. */
async function checkRecipients(em: EntityManager, projectId: number, { channelIds, triggers }: Partial<NotificationRule>) {
  const channels = await em.find(NotificationChannel, { projectId, kind: 'email', id: { $in: channelIds ?? [] } })

  for (const { name, settings } of channels) {
    const reasons = await findBlindRecipients(em, projectId, settings as unknown as EmailSettings, triggers ?? [])
    const texts = Object.values(reasons).flat()

    if (texts.length > 0) throw new ValidationFailed({ channel_ids: texts.map(text => `${name}: ${text}`) })
  }
}

function checkThresholds(rule: Partial<NotificationRule>) {
  const needs = (trigger: Trigger, attribute: string, value: unknown) =>
    rule.triggers?.includes(trigger) && !value ? { [attribute]: [`is required by the trigger ${trigger}`] } : {}
  const reasons = {
    ...needs('error.frequent', 'threshold_events', rule.thresholdEvents),
    ...needs('error.frequent', 'threshold_minutes', rule.thresholdMinutes),
    ...needs('error.users', 'threshold_users', rule.thresholdUsers),
    ...needs('release.unhealthy', 'crash_free_percent', rule.crashFreePercent),
    ...needs('error.unseen', 'unseen_hours', rule.unseenHours)
  }

  if (Object.keys(reasons).length > 0) throw new ValidationFailed(reasons)
}
