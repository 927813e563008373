import type { Static } from 'typebox'
import { type Actor, instance, recordAuditEvent } from '#audit/record-audit-event.ts'
import { hashSecret, newSecret } from '#identity/secrets.ts'
import type { Viewer } from '#identity/viewer.ts'
import { Forbidden, ValidationFailed } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { findGroup, findProject } from '#projects/find-project.ts'
import { Role } from '#projects/members/member.ts'
import { Runner, type RunnerType } from './runner.ts'
import type { NewRunnerBody, RunnerSettings } from './runner-schemas.ts'
import { addProject } from './runner-store.ts'

export const runnerTokenPrefix = 'glrt-'
/** For runners that registered with a registration token: gitlab-runner unregisters them wholly, but only the machine of others. */
export const registeredTokenPrefix = 'glrtr-'

/** Creates a runner of the type that a user chose. The secret is available only now: the database stores its hash. */
export async function createRunner(em: EntityManager, user: Viewer, actor: Actor, input: Static<typeof NewRunnerBody>) {
  const { runner_type: type, group_id: groupId, project_id: projectId, ...settings } = input
  const owner = await findOwner(em, user, { type, groupId, projectId })
  const secret = newSecret(runnerTokenPrefix)

  const runner = await em.transactional(async em => {
    const runner = em.create(Runner, {
      type,
      tokenHash: hashSecret(secret),
      groupId: owner.groupId,
      creator: user.id,
      info: {},
      ...toFields(settings)
    })

    await em.flush()
    if (owner.projectId !== undefined) await addProject(em, runner.id, owner.projectId)
    recordAuditEvent(em, actor, { name: 'ci_runner_created', entity: owner.audited, target: runner.audited() })

    return runner
  })

  return { runner, secret }
}

/** The columns that settings change; undefined for those that are not given. */
export function toFields(settings: RunnerSettings) {
  const { active } = settings

  return {
    description: settings.description,
    isPaused: settings.paused ?? (active === undefined ? undefined : !active),
    isLocked: settings.locked,
    runsUntagged: settings.run_untagged,
    tags: settings.tag_list && [...new Set(settings.tag_list)],
    accessLevel: settings.access_level,
    maximumTimeout: settings.maximum_timeout,
    maintenanceNote: settings.maintenance_note
  }
}

interface Chosen {
  type: RunnerType
  groupId?: number | null
  projectId?: number | null
}

/** Where the runner belongs, for users who may add one: admins, owners of the group, maintainers of the project. */
async function findOwner(em: EntityManager, user: Viewer, { type, groupId, projectId }: Chosen) {
  if (type === 'instance_type') {
    if (!user.isAdmin) throw new Forbidden()

    return { audited: instance }
  }
  if (type === 'group_type') {
    if (!groupId) throw new ValidationFailed({ group_id: ['is needed for a runner of a group'] })
    const group = await findGroup(em, user, String(groupId), Role.owner)

    return { groupId: group.id, audited: group.audited() }
  }
  if (!projectId) throw new ValidationFailed({ project_id: ['is needed for a runner of a project'] })
  const project = await findProject(em, user, String(projectId), Role.maintainer)

  return { projectId: project.id, audited: project.audited() }
}
