import type { Static } from 'typebox'
import { ValidationFailed } from '#lib/refusals.ts'
import { toTime } from '#lib/time.ts'
import { readTagPatterns } from '../messages/read-tag-patterns.ts'
import type { ProjectResource } from '../project-resource.ts'
import { holdsMessages } from './ended-mute-store.ts'
import { Mute } from './mute.ts'
import { MuteBody, MuteShape } from './mute-schemas.ts'
import { reportFiring } from './report-firing.ts'

const maxDays = 366
const dayMs = 24 * 3_600_000

/** Maintenance windows and mutes: they hold notifications until a time. */
export const mutes: ProjectResource<Mute, typeof MuteBody> = {
  path: 'notification_mutes',
  name: 'Notification mute',
  entity: Mute,
  body: MuteBody,
  role: 'developer',
  maxRows: 100,
  shape: MuteShape,
  async read(body, { current, at }) {
    const startsAt = toTime(body.starts_at) ?? current?.startsAt ?? at
    const endsAt = toTime(body.ends_at) ?? current?.endsAt

    if (!endsAt || endsAt <= startsAt) throw new ValidationFailed({ ends_at: ['must be after starts_at'] })
    if (endsAt.getTime() - startsAt.getTime() > maxDays * dayMs)
      throw new ValidationFailed({ ends_at: [`is more than ${maxDays} days after starts_at`] })

    return {
      startsAt,
      endsAt,
      ...(endsAt > at && { reportedAt: null }),
      ...(body.reason !== undefined && { reason: body.reason }),
      ...readScope(body, current)
    }
  },
  present: row => ({
    id: row.id,
    project_id: row.projectId,
    reason: row.reason,
    environment: row.environment ?? null,
    tags: row.tags,
    labels: row.tags,
    everything: mutesEverything(row),
    starts_at: row.startsAt.toISOString(),
    ends_at: row.endsAt.toISOString(),
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString()
  }),
  describe: ({ reason }) => reason,
  /** A mute that holds messages only ends: a user still has to release or discard them. */
  async retire(em, mute, at) {
    if (!mute.reportedAt) await reportFiring(em, [mute])
    if (!(await holdsMessages(em, mute.id))) return false
    if (mute.endsAt > at) mute.endsAt = at
    mute.reportedAt ??= at

    return true
  }
}

type Scope = Pick<Mute, 'environment' | 'tags'>

export function mutesEverything({ environment, tags }: Scope) {
  return !environment && tags.length === 0
}

/** A request has to say that it mutes everything: a misspelt member must not mute a whole project. */
function readScope(body: Partial<Static<typeof MuteBody>>, current?: Mute): Partial<Scope> {
  const { environment, everything } = body
  const tags = readTagPatterns(body)

  if (current && [tags, environment, everything].every(value => value === undefined)) return {}
  const former: Scope = current && !everything ? current : { environment: null, tags: [] }
  const scope: Scope = { environment: environment === undefined ? former.environment : environment || null, tags: tags ?? former.tags }

  if (mutesEverything(scope) && !everything)
    throw new ValidationFailed({ everything: ['must be true to mute the whole project; otherwise give tags or an environment'] })
  if (!mutesEverything(scope) && everything)
    throw new ValidationFailed({ everything: ['cannot be true together with tags or an environment'] })

  return scope
}
