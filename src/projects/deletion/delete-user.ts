import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import type { Actor } from '#audit/record-audit-event.ts'
import { publishUserEvent } from '#identity/record-user-event.ts'
import { getAccount } from '#identity/users/find-user.ts'
import { findOrCreateGhost } from '#identity/users/ghost.ts'
import { requireAnotherAdmin } from '#identity/users/require-another-admin.ts'
import { Conflict } from '#lib/refusals.ts'
import type { EntityManager, Tables } from '#platform/database/database.ts'
import { lockForChange } from '#platform/database/lock-for-change.ts'
import { enqueueTask } from '#tasks/start-task.ts'
import { isLastOwner } from '../members/owner-store.ts'
import { replaceAuthor } from './author-store.ts'
import { type DeletionDeps, invalidateKeys, startPurge } from './purge-project.ts'

export const deleteUserRoute: FastifyPluginAsyncTypebox = async app => {
  app.delete(
    '/users/:id',
    {
      config: { role: 'admin', additionalStatuses: [409] },
      schema: {
        summary: 'Delete a user',
        params: Type.Object({ id: Type.Integer() }),
        body: Type.Object({ hard_delete: Type.Optional(Type.Boolean({ description: 'Also delete their personal projects.' })) }),
        response: { 204: Type.Null() }
      }
    },
    async ({ em, actor, params, body }, reply) => {
      await deleteUser(em, app.platform, params.id, { withProjects: body.hard_delete }, actor)

      return reply.code(204).send(null)
    }
  )
}

/** Deletes a user. What they wrote elsewhere is kept and attributed to the ghost user. */
export async function deleteUser(em: EntityManager, deps: DeletionDeps, id: number, { withProjects = false }, by: Actor) {
  const purge = await em.transactional(async em => {
    const user = await getAccount(em, id)

    await requireAnotherAdmin(em, user, 'deleted')
    const isOwner = await isLastOwner(em, user.id)

    await lockForChange(em, user)
    if (isOwner) throw new CannotDelete('is the sole owner of a group')
    const projectIds = await personalProjects(em, user.id)

    if (!withProjects && projectIds.length > 0) throw new CannotDelete('has projects of their own; hard_delete removes them as well')
    await publishUserEvent(em, by, user, 'user_deleted', { hard_delete: withProjects })
    await invalidateKeys(em, deps.config, projectIds)
    await replaceAuthor(em, user.id, (await findOrCreateGhost(em)).id)
    em.remove(user)

    return startPurge(em, `@${user.username}`, projectIds, by)
  })

  if (purge) await enqueueTask(em, deps, purge)
}

class CannotDelete extends Conflict {
  override code = 'cannot_delete_user'
  override isSentence = true

  constructor(reason: string) {
    super(`User cannot be removed: ${reason}`)
  }
}

async function personalProjects(em: EntityManager, userId: number) {
  const rows = await em
    .getKysely<Tables>()
    .selectFrom('projects as p')
    .innerJoin('namespaces as n', 'n.id', 'p.namespace_id')
    .select('p.id')
    .where('n.owner_id', '=', userId)
    .where('n.kind', '=', 'user')
    .execute()

  return rows.map(({ id }) => id)
}
