import Type, { type Static } from 'typebox'
import { ValidationFailed } from '#lib/refusals.ts'
import type { ProjectResource } from '../project-resource.ts'
import { removeFromRules } from './channel-store.ts'
import { NotificationChannel } from './notification-channel.ts'
import { readSettings } from './read-settings.ts'
import { channelKinds } from './web-channels.ts'

const ChannelBody = Type.Object({
  kind: Type.Enum([...channelKinds], { description: 'Cannot be changed.' }),
  name: Type.String({ minLength: 1, maxLength: 100 }),
  active: Type.Optional(Type.Boolean()),
  hourly_limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1000,
      description:
        'Messages per hour and recipient. Further ones are combined until the hour is over, except critical and high ones and those to PagerDuty.'
    })
  ),
  settings: Type.Record(Type.String(), Type.Unknown(), {
    description: 'The settings of this kind of channel, such as the `url` of a webhook.'
  })
})

/** The ways in which a project sends notifications. */
export const channels: ProjectResource<NotificationChannel, typeof ChannelBody> = {
  path: 'notification_channels',
  name: 'Notification channel',
  entity: NotificationChannel,
  body: ChannelBody,
  role: 'maintainer',
  maxRows: 50,
  shape: Type.Object({
    id: Type.Integer(),
    project_id: Type.Integer(),
    kind: Type.String(),
    name: Type.String(),
    active: Type.Boolean(),
    hourly_limit: Type.Integer(),
    settings: Type.Record(Type.String(), Type.Unknown(), { description: 'Without its secret addresses and tokens.' }),
    created_at: Type.String(),
    updated_at: Type.String()
  }),
  async read(body, context) {
    const kind = context.current?.kind ?? body.kind!

    if (body.kind && body.kind !== kind) throw new ValidationFailed({ kind: ['cannot be changed'] })

    return { kind, ...plainValues(body), ...(body.settings && (await readSettings(kind, body.settings, context))) }
  },
  present: row => ({
    id: row.id,
    project_id: row.projectId,
    kind: row.kind,
    name: row.name,
    active: row.isActive,
    hourly_limit: row.hourlyLimit,
    settings: row.settings,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString()
  }),
  describe: ({ kind, name }) => `${kind} ${name}`,
  async retire(em, row) {
    await removeFromRules(em, row)

    return false
  }
}

function plainValues({ name, active, hourly_limit: hourlyLimit }: Partial<Static<typeof ChannelBody>>) {
  if (name?.trim() === '') throw new ValidationFailed({ name: ["can't be blank"] })

  return {
    ...(name !== undefined && { name: name.trim() }),
    ...(active !== undefined && { isActive: active }),
    ...(hourlyLimit !== undefined && { hourlyLimit })
  }
}
