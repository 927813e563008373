import type { FastifyRequest } from 'fastify'
import { type Severity, severities } from '#lib/severity.ts'
import type { NotificationChannel } from '#notifications/channels/notification-channel.ts'
import { type NotificationRule, type Trigger, triggers } from '#notifications/rules/notification-rule.ts'
import { chosenOf, linesOf, textOf } from '#pages/layout/forms.ts'
import type { EmailForm } from '../email-form.ts'
import { readEmailForm } from '../email-form.ts'

export const levels = ['fatal', 'error', 'warning', 'info', 'debug'] as const

/** A rule as users enter it. */
export interface RuleForm {
  name: string
  isActive: boolean
  triggers: Trigger[]
  channelIds: number[]
  severityFloor: Severity | null
  levels: string[]
  environments: string[]
  releases: string[]
  tags: string[]
  thresholdEvents: string
  thresholdMinutes: string
  unseenHours: string
  gatherMinutes: string
  /** Recipients who are not in a channel yet. */
  email: EmailForm
}

export function formOfRule(rule: NotificationRule, email: EmailForm): RuleForm {
  const { thresholdEvents, thresholdMinutes, unseenHours, gatherMinutes } = rule

  return {
    ...rule,
    severityFloor: rule.severityFloor ?? null,
    thresholdEvents: String(thresholdEvents ?? ''),
    thresholdMinutes: String(thresholdMinutes ?? ''),
    unseenHours: String(unseenHours ?? ''),
    gatherMinutes: String(gatherMinutes),
    email
  }
}

export function readRuleForm(request: FastifyRequest, channels: NotificationChannel[]): RuleForm {
  const text = (name: string) => textOf(request, name).trim()
  const chosen = (name: string) => chosenOf(request, name)

  return {
    name: text('name'),
    isActive: text('active') !== '',
    triggers: triggers.filter(trigger => chosen('triggers').includes(trigger)),
    channelIds: channels.map(({ id }) => id).filter(id => chosen('channel_ids').includes(String(id))),
    severityFloor: severities.find(severity => severity === text('severity_floor')) ?? null,
    levels: levels.filter(level => chosen('levels').includes(level)),
    environments: linesOf(request, 'environments'),
    releases: linesOf(request, 'releases'),
    tags: linesOf(request, 'tags'),
    thresholdEvents: text('threshold_events'),
    thresholdMinutes: text('threshold_minutes'),
    unseenHours: text('unseen_hours'),
    gatherMinutes: text('gather_minutes'),
    email: readEmailForm(request)
  }
}

/** The body of the REST API. The numbers of triggers that are not chosen do not count. */
export function toRuleBody(form: RuleForm, channelIds = form.channelIds) {
  const of = (trigger: Trigger, text: string) => (form.triggers.includes(trigger) && text !== '' ? Number(text) : null)

  return {
    name: form.name,
    active: form.isActive,
    triggers: form.triggers,
    channel_ids: channelIds,
    severity_floor: form.severityFloor,
    levels: form.levels as (typeof levels)[number][],
    environments: form.environments,
    releases: form.releases,
    tags: form.tags,
    threshold_events: of('error.frequent', form.thresholdEvents),
    threshold_minutes: of('error.frequent', form.thresholdMinutes),
    unseen_hours: of('error.unseen', form.unseenHours),
    gather_minutes: Number(form.gatherMinutes || Number.NaN)
  }
}
