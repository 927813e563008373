import { type Actor, recordAuditEvent } from '#audit/record-audit-event.ts'
import { hashSecret, newSecret } from '#identity/secrets.ts'
import { Forbidden } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { lockForChange } from '#platform/database/lock-for-change.ts'
import type { Project } from '#projects/project.ts'
import { runnerTokenPrefix, toFields } from './create-runner.ts'
import type { Runner } from './runner.ts'
import type { RunnerSettings } from './runner-schemas.ts'
import { removeProject } from './runner-store.ts'

/** Undefined settings are left unchanged. */
export function changeRunner(em: EntityManager, runner: Runner, settings: RunnerSettings) {
  const given = Object.entries(toFields(settings)).filter(([, value]) => value !== undefined)

  return em.transactional(async em => {
    await lockForChange(em, runner)
    Object.assign(runner, Object.fromEntries(given))
  })
}

/** Its jobs stay. */
export function deleteRunner(em: EntityManager, runner: Runner) {
  return em.transactional(async em => {
    await lockForChange(em, runner)
    em.remove(runner)
  })
}

/** It runs no more jobs of a project that does not own it. */
export function unassignRunner(em: EntityManager, runner: Runner, project: Pick<Project, 'id' | 'audited'>, actor: Actor) {
  return em.transactional(async em => {
    await lockForChange(em, runner)
    if (!(await removeProject(em, runner.id, project.id))) throw new Forbidden('The project owns the runner. Delete the runner instead.')
    recordAuditEvent(em, actor, { name: 'ci_runner_unassigned_from_project', entity: project.audited(), target: runner.audited() })
  })
}

/** The token in use is invalid at once. */
export async function resetToken(em: EntityManager, runner: Runner, prefix = runnerTokenPrefix) {
  const secret = newSecret(prefix)

  runner.tokenHash = hashSecret(secret)
  await em.flush()

  return secret
}
