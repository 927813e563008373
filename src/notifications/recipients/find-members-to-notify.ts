import type { OutboxEntry } from '#outbox/outbox-entry.ts'
import type { EntityManager } from '#platform/database/database.ts'
import type { Addressee } from '../deliveries/addressee.ts'
import { findTexts } from '../messages/find-texts.ts'
import type { Subject } from '../messages/subject.ts'
import { findEffectiveSettings } from '../settings/effective-settings.ts'
import { mentionsIn } from './mentions.ts'
import { findParticipants, listMembers, type Participants, type ProjectMember } from './recipient-store.ts'
import { type Involvement, isPersonal, wantsNotification } from './wants-notification.ts'

interface Occurrence {
  entry: OutboxEntry
  subject: Subject
}

const hourlyLimit = 60

/** Whom the personal notification settings notify about issues, incidents, comments and projects. */
export async function findMembersToNotify(em: EntityManager, occurrences: Occurrence[]) {
  const personal = occurrences.filter(({ entry }) => isPersonal(entry.kind))
  const addressees: Addressee[] = []

  if (personal.length === 0) return []
  const participants = await findParticipants(em, issueIdsOf(personal))
  const comments = await findTexts(
    em,
    personal.map(({ entry }) => entry)
  )

  for (const [projectId, inProject] of Map.groupBy(personal, ({ entry }) => entry.projectId)) {
    const members = await listMembers(em, projectId)
    const settingOf = await findEffectiveSettings(
      em,
      projectId,
      members.map(({ id }) => id)
    )

    for (const { entry, subject } of inProject) {
      const mentioned = mentionsIn(comments.get(entry.id) ?? (entry.kind === 'issue.opened' ? textOf(subject) : ''))

      for (const member of members) {
        if (member.role < subject.minRole || member.id === entry.actorId) continue
        const involvement = involvementOf(member, { entry, subject }, mentioned, participants.get(subject.id))

        if (!involvement.isMentioned && participants.get(subject.id)?.unsubscribed.has(member.id)) continue
        if (wantsNotification(entry.kind, settingOf(member.id), involvement)) addressees.push(toAddressee(entry, member))
      }
    }
  }

  return addressees
}

function issueIdsOf(occurrences: Occurrence[]) {
  return [...new Set(occurrences.flatMap(({ subject }) => (subject.type === 'project' ? [] : [subject.id])))]
}

function textOf({ title, facts }: Subject) {
  return `${title}\n${facts.find(([name]) => name === 'Description')?.[1] ?? ''}`
}

/** Who is assigned, or is no longer, counts as mentioned: GitLab notifies the level `mention` of it. */
function involvementOf(
  { id, username }: ProjectMember,
  { entry: { data } }: Occurrence,
  mentioned: Set<string>,
  participants: Participants | undefined
): Involvement {
  const name = username.toLowerCase()
  const isReassigned = [data.addedAssigneeIds, data.removedAssigneeIds].some(ids => ids?.includes(id))

  return {
    isMentioned: mentioned.has(name) || mentioned.has('all') || isReassigned,
    isParticipant: participants !== undefined && (participants.ids.has(id) || participants.usernames.has(name))
  }
}

/** Each of them is a message of its own, up to the hourly limit. */
function toAddressee({ id: outboxId, projectId }: OutboxEntry, { id: userId }: ProjectMember): Addressee {
  return { outboxId, projectId, userId, target: `user-${userId}`, reason: 'your notification settings', gatherMinutes: 0, hourlyLimit }
}
