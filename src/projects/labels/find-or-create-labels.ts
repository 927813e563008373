import type { EntityManager } from '#platform/database/database.ts'
import { lockSource } from '../members/member-source.ts'
import { checkLabelCount } from './change-labels.ts'
import { Label } from './label.ts'
import { findLabels } from './label-store.ts'

const defaultColor = '#6699cc'

/** The ids of the labels with these names that a project can use. Names that do not exist become labels of the project. */
export async function findOrCreateLabels(em: EntityManager, projectId: number, names: string[]) {
  const found = await findLabels(em, projectId, names)

  if (names.every(name => found.has(name))) return found
  const source = { type: 'Project' as const, id: projectId }

  await lockSource(em, source)
  const current = await findLabels(em, projectId, names)
  const missing = names.filter(name => !current.has(name))

  await checkLabelCount(em, source, missing.length)
  const created = missing.map(name => em.create(Label, { project: projectId, name, color: defaultColor }))

  await em.flush()
  for (const { id, name } of created) current.set(name, id)

  return current
}
