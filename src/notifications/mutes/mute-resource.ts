import Type from 'typebox'
import { Nullable } from '../../http/parameters/nullable.ts'
import { Time, toTime } from '../../http/parameters/time.ts'
import { ValidationFailed } from '../../http/problems/problems.ts'
import type { ProjectResource } from '../resources/project-resource.ts'
import { checkTagPatterns } from '../subjects/check-tag-patterns.ts'
import { Mute } from './mute.ts'

const maxDays = 366
const dayMs = 24 * 3_600_000

const MuteBody = Type.Object({
  reason: Type.String({ minLength: 1, maxLength: 200, description: 'Such as the name of the maintenance.' }),
  environment: Type.Optional(
    Nullable(Type.String({ maxLength: 200, description: 'A pattern in which `*` stands for any text; all when null.' }))
  ),
  labels: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
      maxItems: 20,
      description: 'Patterns such as `service=shop` that all have to match a tag of an error or an attribute of an alert.'
    })
  ),
  starts_at: Type.Optional(Time('Now by default.')),
  ends_at: Time('When notifications are sent again.')
})

/** Maintenance windows and mutes: they hold notifications until a time. */
export const mutes: ProjectResource<Mute, typeof MuteBody> = {
  path: 'notification_mutes',
  name: 'Notification mute',
  entity: Mute,
  body: MuteBody,
  role: 'developer',
  maxRows: 100,
  shape: Type.Object({
    id: Type.Integer(),
    project_id: Type.Integer(),
    reason: Type.String(),
    environment: Nullable(Type.String()),
    labels: Type.Array(Type.String()),
    starts_at: Type.String(),
    ends_at: Type.String(),
    created_at: Type.String(),
    updated_at: Type.String()
  }),
  async read(body, { current, at }) {
    const startsAt = toTime(body.starts_at) ?? current?.startsAt ?? at
    const endsAt = toTime(body.ends_at) ?? current?.endsAt

    if (!endsAt || endsAt <= startsAt) throw new ValidationFailed({ ends_at: ['must be after starts_at'] })
    if (endsAt.getTime() - startsAt.getTime() > maxDays * dayMs)
      throw new ValidationFailed({ ends_at: [`is more than ${maxDays} days after starts_at`] })

    checkTagPatterns('labels', body.labels)

    return {
      startsAt,
      endsAt,
      ...(body.reason !== undefined && { reason: body.reason }),
      ...(body.environment !== undefined && { environment: body.environment || null }),
      ...(body.labels !== undefined && { labels: body.labels })
    }
  },
  present: row => ({
    id: row.id,
    project_id: row.projectId,
    reason: row.reason,
    environment: row.environment ?? null,
    labels: row.labels,
    starts_at: row.startsAt.toISOString(),
    ends_at: row.endsAt.toISOString(),
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString()
  }),
  describe: ({ reason }) => reason
}
