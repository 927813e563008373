import { type Actor, recordAuditEvent } from '#audit/record-audit-event.ts'
import { NotFound, ValidationFailed } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { lockForChange } from '#platform/database/lock-for-change.ts'
import { lockRow } from '#platform/database/locks.ts'
import type { Project } from '#projects/project.ts'
import { FeatureFlag } from './feature-flag.ts'
import { changeStrategies, type StrategyChange } from './strategies.ts'

/** Who changes the feature flags of a project. */
interface Editor {
  project: Project
  actor: Actor
}

/** Undefined values stay unchanged. */
export interface FlagChanges {
  name?: string
  description?: string | null
  isActive?: boolean
  strategies?: StrategyChange[]
}

const maxFlags = 200
const validName = /^[a-z]([-_a-z0-9]*[a-z0-9])?$/
const nameRule = "can contain only lowercase letters, digits, '_' and '-'. Must start with a letter, and cannot end with '-' or '_'"

export function createFeatureFlag(em: EntityManager, { project, actor }: Editor, changes: FlagChanges & { name: string }) {
  return em.transactional(async em => {
    await lockRow(em, 'projects', project.id)
    if ((await em.count(FeatureFlag, { projectId: project.id })) >= maxFlags)
      throw new ValidationFailed({ base: [`The limit of ${maxFlags} feature flags is reached.`] })
    const flag = em.create(FeatureFlag, { projectId: project.id, name: changes.name })

    await applyChanges(em, flag, changes)
    await em.flush()
    recordChange(em, { project, actor }, flag, 'feature_flag_created')

    return flag
  })
}

export function updateFeatureFlag(em: EntityManager, editor: Editor, name: string, changes: FlagChanges) {
  return em.transactional(async em => {
    const flag = await lockFeatureFlag(em, editor, name)

    await applyChanges(em, flag, changes)
    recordChange(em, editor, flag, 'feature_flag_updated')

    return flag
  })
}

export function deleteFeatureFlag(em: EntityManager, editor: Editor, name: string) {
  return em.transactional(async em => {
    const flag = await lockFeatureFlag(em, editor, name)

    em.remove(flag)
    recordChange(em, editor, flag, 'feature_flag_deleted')

    return flag
  })
}

export async function findFeatureFlag(em: EntityManager, projectId: number, name: string) {
  const flag = await em.findOne(FeatureFlag, { projectId, name })

  if (!flag) throw new NotFound('Feature Flag')

  return flag
}

/** The project is locked too, so that two flags do not get the same name. */
async function lockFeatureFlag(em: EntityManager, { project }: Editor, name: string) {
  await lockRow(em, 'projects', project.id)
  const flag = await findFeatureFlag(em, project.id, name)

  await lockForChange(em, flag)

  return flag
}

async function applyChanges(em: EntityManager, flag: FeatureFlag, { name, description, isActive, strategies }: FlagChanges) {
  if (name !== undefined) await checkName(em, flag, name)
  if (strategies) changeStrategies(flag, strategies)
  if (description !== undefined) flag.description = description
  flag.name = name ?? flag.name
  flag.isActive = isActive ?? flag.isActive
}

async function checkName(em: EntityManager, { id, projectId }: FeatureFlag, name: string) {
  if (!validName.test(name)) throw new ValidationFailed({ name: [nameRule] })
  const holder = await em.fork().findOne(FeatureFlag, { projectId, name })

  if (holder && holder.id !== id) throw new ValidationFailed({ name: ['has already been taken'] })
}

function recordChange(em: EntityManager, { project, actor }: Editor, { id, name: details }: FeatureFlag, name: string) {
  recordAuditEvent(em, actor, { name, entity: project.audited(), target: { type: 'FeatureFlag', id, details } })
}
