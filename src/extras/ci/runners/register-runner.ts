import type { Static } from 'typebox'
import { Forbidden, MutuallyExclusive } from '#api/problems/problems.ts'
import { hashSecret, newSecret } from '#identity/secrets.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { registeredTokenPrefix, toFields } from './create-runner.ts'
import { Runner } from './runner.ts'
import type { RegistrationBody } from './runner-schemas.ts'
import { addProject, findRegistration } from './runner-store.ts'

/** Makes the runner of a registration token, which says where it belongs. */
export async function registerRunner(em: EntityManager, input: Static<typeof RegistrationBody>) {
  const { token, info = {}, maintainer_note: formerNote, ...settings } = input

  if (settings.active !== undefined && settings.paused !== undefined) throw new MutuallyExclusive('active', 'paused')
  if (settings.maintenance_note !== undefined && formerNote !== undefined)
    throw new MutuallyExclusive('maintenance_note', 'maintainer_note')
  const place = await findRegistration(em, hashSecret(token))

  if (!place) throw new Forbidden('invalid token supplied')
  const { projectId, groupId } = place
  const secret = newSecret(registeredTokenPrefix)

  const runner = await em.transactional(async em => {
    const runner = em.create(Runner, {
      type: projectId === undefined ? (groupId === undefined ? 'instance_type' : 'group_type') : 'project_type',
      groupId,
      tokenHash: hashSecret(secret),
      info,
      ...toFields({ ...settings, maintenance_note: settings.maintenance_note ?? formerNote })
    })

    await em.flush()
    if (projectId !== undefined) await addProject(em, runner.id, projectId)

    return runner
  })

  return { runner, secret }
}
