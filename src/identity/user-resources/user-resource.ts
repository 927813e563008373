import type { EntityClass, EntityData } from '@mikro-orm/core'
import type Type from 'typebox'
import type { Actor } from '../../audit/record-audit-event.ts'
import { lockForChange } from '../../http/conditional-requests.ts'
import { BadRequest, NotFound, ValidationFailed } from '../../http/problems/problems.ts'
import type { EntityManager } from '../../platform/database/database.ts'
import { lockRow } from '../../platform/database/locks.ts'
import { recordUserEvent } from '../record-user-event.ts'
import { getUser } from '../users/find-user.ts'

const maxRows = 100

export interface UserRow {
  id: number
  createdAt: Date
  present: () => object
}

/** Something that a user has several of, such as keys. */
export interface UserResource<Row extends UserRow, Body extends Type.TObject> {
  /** The last part of the addresses. */
  path: string
  /** In summaries, error messages, and the names of audit events. */
  name: string
  entity: EntityClass<Row>
  body: Body
  /** In lists and of single rows. */
  shape: Type.TObject
  /** Whether everyone who sees the user sees the rows; otherwise only the user and admins. */
  isPublic: boolean
  /** Validates the body and returns the attributes of the new row. */
  read: (body: Type.Static<Body>, at: Date) => EntityData<Row>
  /** The attribute that must be unique, and the index for it. */
  unique: { constraint: string; attribute: string }
  /** For the audit event. */
  describe: (row: Row) => string
}

type Resource<Row extends UserRow, Body extends Type.TObject> = UserResource<Row, Body>

export function addRow<Row extends UserRow, Body extends Type.TObject>(
  em: EntityManager,
  actor: Actor,
  resource: Resource<Row, Body>,
  userId: number,
  attributes: EntityData<Row>
) {
  return em
    .transactional(async em => {
      const user = await getUser(em, userId)

      await lockRow(em, 'users', userId)
      if ((await em.count(resource.entity, { userId } as never)) >= maxRows)
        throw new BadRequest(`You have ${maxRows} ${resource.name}s already`)
      const row = em.create(resource.entity, { ...attributes, userId } as never) as Row

      recordUserEvent(em, actor, user, `${eventOf(resource)}_added`, { [eventOf(resource)]: resource.describe(row) })

      return row
    })
    .catch(error => rethrowTaken(error, resource.unique))
}

export async function getRow<Row extends UserRow, Body extends Type.TObject>(
  em: EntityManager,
  { entity, name }: Resource<Row, Body>,
  userId: number,
  id: number
) {
  const row = await em.findOne(entity, { id, userId } as never)

  if (!row) throw new NotFound(name)

  return row as Row
}

export function removeRow<Row extends UserRow, Body extends Type.TObject>(
  em: EntityManager,
  actor: Actor,
  resource: Resource<Row, Body>,
  userId: number,
  id: number
) {
  return em.transactional(async em => {
    const user = await getUser(em, userId)
    const row = await getRow(em, resource, userId, id)

    await lockForChange(em, row, actor)
    recordUserEvent(em, actor, user, `${eventOf(resource)}_removed`, { [eventOf(resource)]: resource.describe(row) })
    em.remove(row)
  })
}

function eventOf({ name }: { name: string }) {
  return name.toLowerCase().replaceAll(' ', '_')
}

function rethrowTaken(error: { constraint?: string }, { constraint, attribute }: { constraint: string; attribute: string }): never {
  if (error.constraint === constraint) throw new ValidationFailed({ [attribute]: ['has already been taken'] })
  throw error
}
