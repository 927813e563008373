import type { Viewer } from '#identity/viewer.ts'
import { Conflict, MissingParameters, NotFound, ValidationFailed } from '#lib/refusals.ts'
import type { EntityManager, Tables } from '#platform/database/database.ts'
import { lockForChange } from '#platform/database/lock-for-change.ts'
import { lockSource, type MemberSource, ownedBy } from '../members/member-source.ts'
import { Label } from './label.ts'
import { toHex } from './label-schemas.ts'
import { listLabels } from './list-labels.ts'

declare module '#platform/database/database.ts' {
  interface Tables {
    label_priorities: { label_id: number; project_id: number; priority: number }
  }
}

export const maxLabels = 1000

export interface LabelChanges {
  name?: string
  color?: string
  description?: string | null
  /** In the project; null for none. */
  priority?: number | null
}

/** Throws when the project or group can use a label with this name already. */
export async function createLabel(
  em: EntityManager,
  source: MemberSource,
  viewer: Viewer,
  input: LabelChanges & { name: string; color: string }
) {
  return em.transactional(async em => {
    await lockSource(em, source)
    await checkName(em, source, viewer, input.name)
    await checkLabelCount(em, source, 1)
    const label = em.create(Label, {
      ...ownedBy(source),
      name: input.name,
      color: toHex(input.color)!,
      description: input.description ?? null
    })

    await em.flush()
    await setPriority(em, source, label, input.priority)

    return label
  })
}

export async function updateLabel(em: EntityManager, source: MemberSource, viewer: Viewer, label: Label, changes: LabelChanges) {
  const { name, color, description, priority } = changes

  if (Object.values(changes).every(value => value === undefined)) {
    throw new MissingParameters('new_name', 'color', 'description', 'priority')
  }
  await em.transactional(async em => {
    await lockSource(em, source)
    await lockForChange(em, label)
    if (name !== undefined && name !== label.name) {
      await checkName(em, source, viewer, name)
      label.name = name
    }
    if (color !== undefined) label.color = toHex(color)!
    if (description !== undefined) label.description = description
    await setPriority(em, source, label, priority)
  })
}

export async function deleteLabel(em: EntityManager, label: Label) {
  await em.transactional(async em => {
    await lockForChange(em, label)
    em.remove(label)
  })
}

/** A label of the project or group itself, by id or name. */
export async function findOwnLabel(em: EntityManager, source: MemberSource, idOrName: string) {
  const label =
    (/^\d{1,15}$/.test(idOrName) && (await em.findOne(Label, { id: Number(idOrName), ...ownedBy(source) }))) ||
    (await em.findOne(Label, { name: idOrName, ...ownedBy(source) }))

  if (!label) throw new NotFound('Label')

  return label
}

/** The caller has locked the project or group. */
export async function checkLabelCount(em: EntityManager, source: Pick<MemberSource, 'type' | 'id'>, added: number) {
  if ((await em.count(Label, ownedBy(source))) + added <= maxLabels) return
  throw new ValidationFailed({ base: [`A project or group can have at most ${maxLabels} labels`] })
}

async function checkName(em: EntityManager, source: MemberSource, viewer: Viewer, name: string) {
  const rows = await listLabels(em, source, viewer, { label: name }).list(2)

  if (rows.some(label => label.name === name)) throw new LabelExists()
}

class LabelExists extends Conflict {
  override code = 'label_exists'
  override isSentence = true

  constructor() {
    super('Label already exists')
  }
}

async function setPriority(em: EntityManager, { type, id }: MemberSource, label: Label, priority: number | null | undefined) {
  if (type === 'Group' || priority === undefined) return
  const db = em.getKysely<Tables>()

  if (priority === null) {
    await db.deleteFrom('label_priorities').where('label_id', '=', label.id).where('project_id', '=', id).execute()
    return
  }
  await db
    .insertInto('label_priorities')
    .values({ label_id: label.id, project_id: id, priority })
    .onConflict(conflict => conflict.columns(['label_id', 'project_id']).doUpdateSet({ priority }))
    .execute()
}
