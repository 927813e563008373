import type { EntityClass, EntityData } from '@mikro-orm/core'
import type Type from 'typebox'
import { type Actor, recordAuditEvent } from '#audit/record-audit-event.ts'
import type { Config } from '#config.ts'
import { NotFound, ValidationFailed } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { lockForChange } from '#platform/database/lock-for-change.ts'
import { lockRow } from '#platform/database/locks.ts'
import type { Project } from '#projects/project.ts'

export interface ProjectRow {
  id: number
  projectId: number
  createdById?: number | null
  createdAt: Date
  updatedAt: Date
}

/** Something that a project has several of: rules, channels, mutes. */
export interface ProjectResource<Row extends ProjectRow = ProjectRow, Body extends Type.TObject = Type.TObject> {
  /** The last part of the addresses. */
  path: string
  /** In summaries, error messages, and the names of audit events. */
  name: string
  entity: EntityClass<Row>
  /** Schema of new rows. Changes may leave out fields. */
  body: Body
  shape: Type.TObject
  /** Who may change them; developers see them. */
  role: 'developer' | 'maintainer'
  maxRows: number
  /** Validates the given members and returns the attributes to set. `current` is the row to change. */
  read: (body: Partial<Type.Static<Body>>, context: ReadContext<Row>) => Promise<EntityData<Row>>
  present: (row: Row) => Record<string, unknown>
  describe: (row: Row) => string
  /** In the transaction that deletes the row. Returns whether the row has to stay. */
  retire?: (em: EntityManager, row: Row, at: Date) => Promise<boolean>
}

interface ReadContext<Row> {
  em: EntityManager
  config: Config
  project: Project
  current?: Row
  at: Date
}

/** Who changes what belongs to a project. */
export interface ProjectAdmin {
  config: Config
  project: Project
  actor: Actor
}

export function listRows<Row extends ProjectRow>(em: EntityManager, { entity }: { entity: EntityClass<Row> }, projectId: number) {
  return em.find(entity, { projectId } as never, { orderBy: { id: 'asc' } as never }) as Promise<Row[]>
}

export async function getRow<Row extends ProjectRow>(
  em: EntityManager,
  { entity, name }: { entity: EntityClass<Row>; name: string },
  projectId: number,
  id: number
) {
  const row = (await em.findOne(entity, { id, projectId } as never)) as Row | null

  if (!row) throw new NotFound(name)

  return row
}

export function addRow<Row extends ProjectRow, Body extends Type.TObject>(
  em: EntityManager,
  admin: ProjectAdmin,
  resource: ProjectResource<Row, Body>,
  body: Type.Static<Body>,
  at: Date
) {
  const { entity, maxRows, name } = resource
  const projectId = admin.project.id

  return em.transactional(async em => {
    await lockRow(em, 'projects', projectId)
    if ((await em.count(entity, { projectId } as never)) >= maxRows) {
      throw new ValidationFailed({ base: [`A project can have at most ${maxRows} ${name.toLowerCase()}s`] })
    }
    const attributes = await resource.read(body, { ...admin, em, at })
    const row = em.create(entity, { ...attributes, projectId, createdById: admin.actor.user?.id ?? null } as never) as Row

    await em.flush()
    recordRow(em, admin, resource, row, 'created')

    return row
  })
}

/** Undefined members stay unchanged. */
export function changeRow<Row extends ProjectRow, Body extends Type.TObject>(
  em: EntityManager,
  admin: ProjectAdmin,
  resource: ProjectResource<Row, Body>,
  id: number,
  body: Partial<Type.Static<Body>>,
  at: Date
) {
  return em.transactional(async em => {
    const row = await getRow(em, resource, admin.project.id, id)

    await lockForChange(em, row)
    const attributes = await resource.read(body, { ...admin, em, current: row, at })

    em.assign(row, attributes as never)
    recordRow(em, admin, resource, row, 'updated', { changed: Object.keys(attributes) })

    return row
  })
}

export function removeRow<Row extends ProjectRow, Body extends Type.TObject>(
  em: EntityManager,
  admin: ProjectAdmin,
  resource: ProjectResource<Row, Body>,
  id: number,
  at: Date
) {
  return em.transactional(async em => {
    const row = await getRow(em, resource, admin.project.id, id)

    await lockForChange(em, row)
    const isKept = await resource.retire?.(em, row, at)

    recordRow(em, admin, resource, row, isKept ? 'updated' : 'deleted')
    if (!isKept) em.remove(row)
  })
}

function recordRow<Row extends ProjectRow, Body extends Type.TObject>(
  em: EntityManager,
  { project, actor }: ProjectAdmin,
  { name, describe }: ProjectResource<Row, Body>,
  row: Row,
  verb: 'created' | 'updated' | 'deleted',
  details?: Record<string, unknown>
) {
  recordAuditEvent(em, actor, {
    name: `${name.toLowerCase().replaceAll(' ', '_')}_${verb}`,
    entity: project.audited(),
    target: { type: name.replaceAll(' ', ''), id: row.id, details: describe(row) },
    details
  })
}
