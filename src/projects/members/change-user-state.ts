import type { Actor } from '#audit/record-audit-event.ts'
import { recordUserEvent } from '#identity/record-user-event.ts'
import { Session } from '#identity/sessions/session.ts'
import { getAccount } from '#identity/users/find-user.ts'
import { requireAnotherAdmin } from '#identity/users/require-another-admin.ts'
import type { User, UserState } from '#identity/users/user.ts'
import { Conflict, Forbidden } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { lockForChange } from '#platform/database/lock-for-change.ts'
import { isLastOwner } from './owner-store.ts'

interface Change {
  from: UserState[]
  to: UserState
  event: string
  /** GitLab's answer when the user has the new state already; undefined is a refusal. */
  unchanged?: boolean | null
}

const changes = {
  block: { from: ['active', 'deactivated'], to: 'blocked', event: 'user_blocked', unchanged: null },
  unblock: { from: ['blocked'], to: 'active', event: 'user_unblocked', unchanged: false },
  ban: { from: ['active'], to: 'banned', event: 'user_banned' },
  unban: { from: ['banned'], to: 'active', event: 'user_unbanned' },
  deactivate: { from: ['active'], to: 'deactivated', event: 'user_deactivated', unchanged: true },
  activate: { from: ['deactivated'], to: 'active', event: 'user_activated', unchanged: false }
} satisfies Record<string, Change>

export type StateVerb = keyof typeof changes
export const stateVerbs = Object.keys(changes) as StateVerb[]

/** What an admin may do with a user in this state. */
export function verbsFor(state: UserState) {
  return stateVerbs.filter(verb => (changes[verb] as Change).from.includes(state))
}

const dormantDays = 90

/** Ends all sessions of a user who is no longer active. Access tokens are rejected until the user is active again. */
export function changeUserState(em: EntityManager, actor: Actor, id: number, verb: StateVerb, at: Date) {
  const { to, from, event, unchanged }: Change = changes[verb]

  return em.transactional(async em => {
    const user = await getAccount(em, id)

    if (to !== 'active' && from.includes(user.state)) await checkDispensable(em, actor, user, verb)
    await lockForChange(em, user)
    if (user.state === to && unchanged !== undefined) return unchanged
    if (!from.includes(user.state)) throw new Forbidden(`You cannot ${verb} ${user.state} users.`)
    if (verb === 'deactivate') checkDormant(user, at)
    user.state = to
    if (to !== 'active') await em.nativeDelete(Session, { user: user.id })
    recordUserEvent(em, actor, user, event)

    return true
  })
}

/** Admins cannot lock themselves out, and neither the installation nor a group loses its last usable admin or owner. */
async function checkDispensable(em: EntityManager, actor: Actor, user: User, verb: StateVerb) {
  const { to } = changes[verb]

  if (user.id === actor.user?.id) throw new Forbidden(`The API initiating user cannot be ${to} by the API`)
  await requireAnotherAdmin(em, user, to)
  if (await isLastOwner(em, user.id)) throw new Conflict('the user is the last owner of a group')
}

function checkDormant({ lastActivityOn, currentSignInAt }: User, at: Date) {
  const lastActive = Math.max(Date.parse(lastActivityOn ?? '1970-01-01'), currentSignInAt?.getTime() ?? 0)

  if (at.getTime() - lastActive > dormantDays * 24 * 3600_000) return
  throw new Forbidden(`The user you are trying to deactivate has been active in the past ${dormantDays} days and cannot be deactivated`)
}
