import { isDeepStrictEqual } from 'node:util'
import type { EntityManager } from '#platform/database/database.ts'
import { addRow, type ProjectAdmin } from '../project-resource.ts'
import { channels } from './channel-resource.ts'
import type { EmailSettings } from './email-channel.ts'
import { NotificationChannel } from './notification-channel.ts'

/** The project's e-mail channel with these recipients. There is one, however often they are asked for. */
export async function findOrAddEmailChannel(em: EntityManager, admin: ProjectAdmin, name: string, settings: EmailSettings, at: Date) {
  const present = await em.find(NotificationChannel, { projectId: admin.project.id, kind: 'email' }, { orderBy: { id: 'asc' } })

  return (
    present.find(channel => isDeepStrictEqual(sorted(channel.settings as unknown as EmailSettings), sorted(settings))) ??
    (await addRow(em, admin, channels, { kind: 'email', name, settings }, at))
  )
}

function sorted({ roles, user_ids, assignees, addresses }: EmailSettings) {
  return { roles: roles.toSorted(), user_ids: user_ids.toSorted((a, b) => a - b), assignees, addresses: addresses.toSorted() }
}
