import type { EntityClass, EntityData } from '@mikro-orm/core'
import type { FastifyInstance } from 'fastify'
import type Type from 'typebox'
import type { Actor } from '#audit/record-audit-event.ts'
import { NotFound, Rejected, ValidationFailed } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { lockForChange } from '#platform/database/lock-for-change.ts'
import { lockRow } from '#platform/database/locks.ts'
import { recordUserEvent } from './record-user-event.ts'
import { getUser } from './users/find-user.ts'
import type { User } from './users/user.ts'

type Platform = FastifyInstance['platform']

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
  maxRows: number
  /** Validates the body and returns the attributes of the new row. `isAdmin`: an admin adds it for another user. */
  read: (body: Type.Static<Body>, by: { at: Date; isAdmin: boolean }) => EntityData<Row>
  /** The attribute that must be unique, and the index for it. */
  unique: Unique
  /** Checks what the index cannot. In the transaction that adds the row. */
  isAvailable?: (em: EntityManager, attributes: EntityData<Row>) => Promise<boolean>
  /** After the commit. */
  added?: (platform: Platform, row: Row, at: Date) => Promise<void>
  /** In the transaction that deletes the row. */
  removed?: (user: User, row: Row) => void
  /** For the audit event. */
  describe: (row: Row) => string
}

interface Unique {
  constraint: string
  attribute: string
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
      if ((await resource.isAvailable?.(em, attributes)) === false) throw new Taken(resource.unique)
      if ((await em.count(resource.entity, { userId } as never)) >= resource.maxRows)
        throw new Rejected(`The user already has ${resource.maxRows} ${resource.name}s`)
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

    await lockForChange(em, row)
    recordUserEvent(em, actor, user, `${eventOf(resource)}_removed`, { [eventOf(resource)]: resource.describe(row) })
    resource.removed?.(user, row)
    em.remove(row)
  })
}

function eventOf({ name }: { name: string }) {
  return name.toLowerCase().replaceAll(' ', '_')
}

function rethrowTaken(error: { constraint?: string }, unique: Unique): never {
  throw error.constraint === unique.constraint ? new Taken(unique) : error
}

class Taken extends ValidationFailed {
  override code = 'attribute_taken'

  constructor({ attribute }: Unique) {
    super({ [attribute]: ['has already been taken'] })
  }
}
