import { hashSecret, newSecret } from '#identity/secrets.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { lockForChange } from '#platform/database/lock-for-change.ts'
import { runnerTokenPrefix, toFields } from './create-runner.ts'
import type { Runner } from './runner.ts'
import type { RunnerSettings } from './runner-schemas.ts'

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

/** The token in use is invalid at once. */
export async function resetToken(em: EntityManager, runner: Runner, prefix = runnerTokenPrefix) {
  const secret = newSecret(prefix)

  runner.tokenHash = hashSecret(secret)
  await em.flush()

  return secret
}
