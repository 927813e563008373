import type { Config } from '#config.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { type ChallengeScope, issueChallenge, useChallenge } from '../passkeys/challenge.ts'
import { secondFactorOptions, signInOptions, userHandleOf } from '../passkeys/options.ts'
import { Passkey } from '../passkeys/passkey.ts'
import { type RelyingParty, relyingPartyOf } from '../passkeys/relying-party.ts'
import { type Assertion, parseAnswer, verifyAssertion } from '../passkeys/verify.ts'
import { withLockedUser } from '../users/find-user.ts'
import type { User } from '../users/user.ts'
import { isLockedOut, recordFailedSignIn, recordUnknownSignIn } from './lockout.ts'
import { listPasskeys } from './passkeys.ts'
import { type Client, findSession } from './sessions.ts'
import { completeSignIn, type SignedIn } from './sign-in.ts'

interface Answer {
  /** A secret in a cookie: that of the browser, or of the session that awaits the second factor. */
  browser: string
  /** The answer of the browser. */
  credential: string
}

/** What a browser signs in from without a password. */
export async function beginPasskeySignIn(config: Config, party: RelyingParty, browser: string, at: Date) {
  return signInOptions(party, await issueChallenge(config, { purpose: 'sign-in', browser }, at))
}

/** What a browser gives the second factor from; undefined without passkeys. */
export async function beginPasskeyFactor(em: EntityManager, config: Config, user: User, browser: string, at: Date) {
  const party = relyingPartyOf(config)

  if (!party || user.passkeyCount === 0) return undefined

  return secondFactorOptions(party, await listPasskeys(em, user), await issueChallenge(config, { purpose: 'second factor', browser }, at))
}

/** Signs in without a password: a passkey that has verified its user counts as both factors. */
export async function signInWithPasskey(
  em: EntityManager,
  config: Config,
  { browser, credential }: Answer,
  client: Client,
  at: Date
): Promise<SignedIn | 'invalid' | 'blocked' | 'pending'> {
  const assertion = parseAnswer<Assertion>(credential)
  const passkey = assertion && (await findPasskey(em, assertion))

  if (!passkey || assertion.answer.response.userHandle !== userHandleOf(passkey.user)) {
    await recordUnknownSignIn(em, { ip: client.ip })
    return 'invalid'
  }
  const user = passkey.user as User
  const scope = { purpose: 'sign-in', browser } as const

  if (!(await verify(em, config, { passkey, assertion, scope, verifiesUser: true }, client, at))) return 'invalid'
  if (!user.maySignIn()) return user.isPending() ? 'pending' : 'blocked'

  return completeSignIn(em, config, { user, client, at, factor: 'passkey' })
}

/** The second step; `expired` when that was too long ago. */
export async function signInWithPasskeyFactor(
  em: EntityManager,
  config: Config,
  { browser, credential }: Answer,
  client: Client,
  at: Date
): Promise<SignedIn | 'invalid' | 'expired'> {
  const pending = await findSession(em, browser, at, { awaitsCode: true })

  if (!pending?.user.maySignIn()) return 'expired'
  const { user } = pending
  const assertion = parseAnswer<Assertion>(credential)
  const passkey = assertion && (await findPasskey(em, assertion, user))
  const scope = { purpose: 'second factor', browser } as const

  if (!passkey) {
    await recordFailedSignIn(em, attemptOf(user, client, at), { with: 'passkey', reason: 'not a passkey of this user' })
    return 'invalid'
  }
  if (!(await verify(em, config, { passkey, assertion, scope, verifiesUser: false }, client, at))) return 'invalid'
  await em.remove(pending).flush()

  return completeSignIn(em, config, { user, client, at, factor: 'passkey as second factor' })
}

function findPasskey(em: EntityManager, { answer }: Assertion, owner?: User) {
  const credentialId = Buffer.from(answer.id, 'base64url')

  return em.findOne(Passkey, { credentialId, ...(owner && { user: owner.id }) }, { populate: ['user'] })
}

interface Use {
  passkey: Passkey
  assertion: Assertion
  scope: ChallengeScope
  verifiesUser: boolean
}

/** Counts a refused answer as a failed sign-in. Nothing is verified while the user is locked out. */
async function verify(em: EntityManager, config: Config, use: Use, client: Client, at: Date) {
  const attempt = attemptOf(use.passkey.user as User, client, at)
  const reason = (await isLockedOut(em, attempt)) ? 'locked out' : await findReason(em, config, use, at)

  if (reason) await recordFailedSignIn(em, attempt, { with: 'passkey', passkey: use.passkey.name, reason })

  return !reason
}

/** Why the answer is refused. Otherwise the use is recorded. */
async function findReason(em: EntityManager, config: Config, { passkey, assertion, scope, verifiesUser }: Use, at: Date) {
  const party = relyingPartyOf(config)

  if (!party) return 'passkeys do not work at the address of this site'
  if (!(await useChallenge(em, config, scope, assertion.challenge, at))) return 'the challenge expired, was used or is of another browser'
  const verified = await verifyAssertion(assertion, { passkey, party, verifiesUser })

  if ('reason' in verified) return verified.reason

  return withLockedUser(em, passkey.user as User, async em => {
    const current = await em.findOne(Passkey, { id: passkey.id }, { refresh: true })

    if (!current) return 'the passkey was removed'
    const before = current.counter

    return current.use(verified.counter, at)
      ? undefined
      : `the counter is ${verified.counter} after ${before}: the passkey may have been copied`
  })
}

function attemptOf(user: User, client: Client, at: Date) {
  return { user, actor: { ip: client.ip }, device: client.device, at }
}
