import type { Actor } from '#audit/record-audit-event.ts'
import { publishUserEvent } from '#identity/record-user-event.ts'
import { getAccount, withLockedUser } from '#identity/users/find-user.ts'
import type { User } from '#identity/users/user.ts'
import { Conflict } from '#lib/refusals.ts'
import { addMail } from '#outbox/outbox-store.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { deleteUser } from '../deletion/delete-user.ts'
import type { DeletionDeps } from '../deletion/purge-project.ts'

/** Lets a user in who has signed up, and tells them. */
export async function approveUser(em: EntityManager, by: Actor, id: number) {
  const account = await getAccount(em, id)

  await withLockedUser(em, account, async (em, user) => {
    if (!user.isPending()) throw new NotPending('The user you are trying to approve is not pending approval')
    user.state = 'active'
    await publishUserEvent(em, by, user, 'user_approved')
    await addMail(em, { kind: 'sign-up.approved', subjectId: user.id })
  })
}

/** Deletes a user who has signed up, and tells them. */
export async function rejectUser(em: EntityManager, deps: DeletionDeps, by: Actor, id: number) {
  const account = await getAccount(em, id)

  await withLockedUser(em, account, async (em, user) => {
    if (!user.isPending()) throw new NotPending('User does not have a pending request')
    await publishUserEvent(em, by, user, 'user_rejected')
    await addMail(em, { kind: 'sign-up.rejected', subjectId: 0, data: { email: (user as User).email } })
    await deleteUser(em, deps, id, { withProjects: true }, by)
  })
}

class NotPending extends Conflict {
  override code = 'not_pending'
  override isSentence = true
}
