import type { OutboxEntry } from '#outbox/outbox-entry.ts'
import { Role } from '#projects/members/member.ts'
import type { Addressee } from '../deliveries/addressee.ts'
import type { Subject } from '../messages/subject.ts'
import type { ProjectMember } from '../recipients/recipient-store.ts'
import type { EmailSettings } from './email-channel.ts'
import type { NotificationChannel } from './notification-channel.ts'
import { webChannelOf } from './web-channels.ts'

type Way = Pick<Addressee, 'reason' | 'gatherMinutes'>

/** A channel; without an id, that of the alert settings. */
export type ExpandedChannel = Pick<NotificationChannel, 'kind' | 'settings' | 'projectId' | 'hourlyLimit'> & { id?: number }

interface Occurrence {
  entry: OutboxEntry
  subject: Subject
}

/** The recipients of a channel for what happened. Members who may not see the subject, or did it themselves, are left out. */
export function expandChannel(channel: ExpandedChannel, occurrence: Occurrence, members: ProjectMember[], way: Way): Addressee[] {
  const base = {
    outboxId: occurrence.entry.id,
    projectId: channel.projectId,
    channelId: channel.id,
    hourlyLimit: channel.hourlyLimit,
    ...way
  }

  if (channel.kind !== 'email') {
    const isAlone = webChannelOf(channel.kind)?.isPaging

    return [{ ...base, isAlone, target: `channel-${channel.id}` }]
  }
  const settings = channel.settings as unknown as EmailSettings

  return [
    ...members.filter(member => isAddressed(member, settings, occurrence)).map(({ id }) => ({ ...base, userId: id, target: `user-${id}` })),
    ...settings.addresses.map(address => ({ ...base, address, target: `email-${address.toLowerCase()}` }))
  ]
}

function isAddressed({ id, role }: ProjectMember, settings: EmailSettings, { entry, subject }: Occurrence) {
  if (role < subject.minRole || entry.actorId === id) return false

  return (
    settings.user_ids.includes(id) ||
    (settings.assignees && subject.assigneeIds.includes(id)) ||
    settings.roles.some(name => Role[name] === role)
  )
}
