import type { FastifyRequest } from 'fastify'
import type { Caller } from '#lib/caller.ts'
import { Forbidden, Unauthenticated } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { isHexSecret } from '../secrets.ts'
import type { Login } from '../sessions/authenticate-password.ts'
import { recordLastActivity } from '../users/last-activity.ts'
import { accessTokenStrategy } from './access-token.ts'
import type { AuthStrategy } from './auth-strategy.ts'
import { jobTokenStrategy } from './job-token.ts'
import type { RememberedPasswords } from './remembered-passwords.ts'

const scopes = 'the scope read_repository or write_repository for code, read_registry or write_registry for images'

/** The client of git or of the registry has no credentials, or wrong ones: it asks for others. */
export class CredentialsNeeded extends Unauthenticated {
  override code = 'credentials_needed'
  override isSentence = true

  constructor() {
    super(`Access denied. Use a token as the password, with ${scopes}.`)
  }
}

/** HTTP Basic (RFC 7617), encoded. */
export function readBasic({ headers }: FastifyRequest) {
  return /^Basic\s+(\S+)$/i.exec(headers.authorization ?? '')?.[1]
}

/** Without control characters (RFC 7617 §2); Postgres refuses a text with NUL. */
export function decodeBasic(encoded: string): Login {
  const decoded = Buffer.from(encoded, 'base64').toString()
  const [login = '', ...rest] = decoded.split(':')

  if (decoded.includes('\0')) throw new CredentialsNeeded()

  return { login, password: rest.join(':') }
}

interface BasicDeps {
  oauthTokens: AuthStrategy
  passwords: RememberedPasswords
  /** Counts an attempt to guess a password; throws when there are too many. */
  countGuess: () => Promise<void>
}

/** A token as the password, whose kind its form or the user name tells, or a user's own password. */
export function basicStrategy(deps: BasicDeps): AuthStrategy {
  return {
    read: readBasic,
    async authenticate(em, encoded, request) {
      const { login, password } = decodeBasic(encoded)

      return authenticateToken(em, { login, password }, request, deps.oauthTokens).catch(error => {
        if (!(error instanceof Unauthenticated)) throw error
        if (isTokenName(login) || isTokenForm(password)) throw new CredentialsNeeded()
        return authenticateUser(em, { login, password }, request, deps)
      })
    }
  }
}

async function authenticateToken(em: EntityManager, { login, password }: Login, request: FastifyRequest, oauthTokens: AuthStrategy) {
  return strategyOf(login, password, oauthTokens).authenticate(em, password, request)
}

function strategyOf(login: string, password: string, oauthTokens: AuthStrategy) {
  if (login === 'gitlab-ci-token') return jobTokenStrategy
  if (login === 'oauth2' && isHexSecret(password)) return oauthTokens

  return accessTokenStrategy
}

function isTokenName(login: string) {
  return ['', 'oauth2', 'gitlab-ci-token'].includes(login)
}

function isTokenForm(password: string) {
  return password === '' || /^gl[a-z]{2,4}-/.test(password)
}

async function authenticateUser(em: EntityManager, login: Login, request: FastifyRequest, deps: BasicDeps): Promise<Caller> {
  const user = await deps.passwords.authenticate(em, login, { ip: request.ip }, deps.countGuess)

  if (user === 'invalid') throw new CredentialsNeeded()
  if (user === 'pending') throw new Forbidden('Your account is waiting for approval')
  if (user === 'blocked') throw new Forbidden('Your account has been blocked')
  if (user.hasTwoFactor()) {
    throw new Forbidden(`two-factor authentication is on: use a token as the password, with ${scopes}`)
  }
  if (user.mustChangePassword) throw new Forbidden('change your one-time password first, at /users/password')
  await recordLastActivity(em, user, new Date())

  return { user, scopes: 'all', by: { kind: 'password' } }
}
