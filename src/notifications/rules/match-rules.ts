import { matchesGlob } from '#lib/glob.ts'
import { severities } from '#lib/severity.ts'
import type { OutboxEntry } from '#outbox/outbox-entry.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { expandChannel } from '../channels/expand-channel.ts'
import { NotificationChannel } from '../channels/notification-channel.ts'
import type { Addressee } from '../deliveries/addressee.ts'
import type { Subject } from '../messages/subject.ts'
import { listMembers } from '../recipients/recipient-store.ts'
import { findEffectiveSettings } from '../settings/effective-settings.ts'
import type { ActiveRule } from './active-rule.ts'
import { findAlertMailRules } from './alert-mail-rules.ts'
import { NotificationRule } from './notification-rule.ts'

interface Occurrence {
  entry: OutboxEntry
  subject: Subject
}

/** Whom the rules of the projects notify. */
export async function matchRules(em: EntityManager, occurrences: Occurrence[]) {
  const addressees: Addressee[] = []

  for (const [projectId, inProject] of Map.groupBy(occurrences, ({ entry }) => entry.projectId)) {
    const rules = await findRules(em, projectId)
    const members = rules.some(({ channels }) => channels.some(({ kind }) => kind === 'email'))
      ? await listWillingMembers(em, projectId)
      : []

    for (const { rule, channels } of rules) {
      for (const occurrence of inProject.filter(occurrence => matches(rule, occurrence))) {
        const way = { reason: `rule "${rule.name}"`, gatherMinutes: rule.gatherMinutes }

        addressees.push(...channels.flatMap(channel => expandChannel(channel, occurrence, members, way)))
      }
    }
  }

  return addressees
}

/** The level `disabled` is obeyed by rules, too. */
async function listWillingMembers(em: EntityManager, projectId: number) {
  const members = await listMembers(em, projectId)
  const settingOf = await findEffectiveSettings(
    em,
    projectId,
    members.map(({ id }) => id)
  )

  return members.filter(({ id }) => settingOf(id).level !== 'disabled')
}

async function findRules(em: EntityManager, projectId: number): Promise<ActiveRule[]> {
  const rules = await em.find(NotificationRule, { projectId, isActive: true }, { orderBy: { id: 'asc' } })
  const channels = rules.length > 0 ? await em.find(NotificationChannel, { projectId, isActive: true }) : []

  return [
    ...rules.map(rule => ({ rule, channels: channels.filter(({ id }) => rule.channelIds.includes(id)) })),
    ...(await findAlertMailRules(em, projectId))
  ]
}

export function matches(rule: ActiveRule['rule'], { entry, subject }: Occurrence) {
  const trigger = triggerOf(entry, subject)
  const isError = subject.type === 'error'

  return (
    rule.triggers.includes(trigger) &&
    !(rule.ignoresUsers && entry.actorId !== null) &&
    (entry.data.ruleId === undefined || entry.data.ruleId === rule.id) &&
    (isError || isSevereEnough(rule, subject)) &&
    (!isError || allows(rule.levels, [subject.level!])) &&
    (!(isError || subject.type === 'release') || allows(rule.releases, subject.releases)) &&
    (subject.type === 'incident' || allows(rule.environments, subject.environments)) &&
    rule.tags.every(pattern => subject.tags.some(tag => matchesGlob(pattern, tag)))
  )
}

/** Rules name incidents, but no other issues. */
function triggerOf({ kind }: OutboxEntry, { type }: Subject) {
  return type === 'incident' ? kind.replace('issue.', 'incident.') : kind
}

function isSevereEnough({ severityFloor }: ActiveRule['rule'], { severity }: Subject) {
  return !severityFloor || !severity || severities.indexOf(severity) <= severities.indexOf(severityFloor)
}

function allows(patterns: string[], values: string[]) {
  return patterns.length === 0 || values.some(value => patterns.some(pattern => matchesGlob(pattern, value)))
}
