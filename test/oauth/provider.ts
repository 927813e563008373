import { createHash } from 'node:crypto'
import type { Test } from 'tap'
import { hashSecret, newHexSecret } from '#identity/secrets.ts'
import { User } from '#identity/users/user.ts'
import { Application } from '#oauth/applications/application.ts'
import { AuthorizationCode, codeSeconds } from '#oauth/authorize/authorization-code.ts'
import { openApp, type WorldOptions } from '../support/world.ts'

export const redirectUri = 'https://client.example/callback'
export const verifier = 'a-verifier-of-43-characters-or-more_0123456789.~'

export type Form = Record<string, string>

/** An application as its developer knows it. */
export interface Client {
  id: number
  client_id: string
  client_secret: string
}

/** The application with the means to register clients and to call the OAuth endpoints. */
export async function openProvider(t: Test, options: WorldOptions = {}) {
  const world = await openApp(t, options)
  const { app, call, platform } = world

  const register = async (attributes: Form = {}): Promise<Client> => {
    const values = { name: 'Client', redirect_uri: redirectUri, scopes: 'api read_user openid profile email', ...attributes }
    const { body } = await call('POST', '/applications', values)

    return { id: body.id, client_id: body.application_id, client_secret: body.secret }
  }
  const post = async (path: string, form: Form, headers: Record<string, string> = {}) => {
    const response = await app.inject({
      method: 'POST',
      url: `/oauth/${path}`,
      payload: new URLSearchParams(form).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers }
    })

    return { status: response.statusCode, headers: response.headers, body: response.json() }
  }
  /** A code as the consent page issues it. */
  const approve = async (client: Client, approval: { scopes?: string[]; challenge?: string; username?: string; at?: Date } = {}) => {
    const { scopes = ['api'], challenge, username = 'root', at = new Date() } = approval
    const em = platform.fork()
    const application = await em.findOneOrFail(Application, { uid: client.client_id })
    const user = await em.findOneOrFail(User, { username })
    const code = newHexSecret()
    const expiresAt = new Date(at.getTime() + codeSeconds * 1000)

    em.create(AuthorizationCode, {
      codeHash: hashSecret(code),
      application,
      user,
      redirectUri,
      scopes,
      codeChallenge: challenge ?? null,
      authTime: at,
      createdAt: at,
      expiresAt
    })
    await em.flush()

    return code
  }
  const exchange = (client: Partial<Client>, code: string, more: Form = {}) =>
    post('token', { grant_type: 'authorization_code', code, redirect_uri: redirectUri, ...credentials(client), ...more })
  const refresh = (client: Partial<Client>, token: string, more: Form = {}) =>
    post('token', { grant_type: 'refresh_token', refresh_token: token, ...credentials(client), ...more })
  /** A new authorization of a client, exchanged for its first tokens. */
  const authorize = async (client: Client, approval = {}) => (await exchange(client, await approve(client, approval))).body
  /** The status of an API request with an access token. */
  const statusWith = async (token: string, url = '/user') => {
    return (await app.inject({ url: `/api/v4${url}`, headers: { authorization: `Bearer ${token}` } })).statusCode
  }
  const auditEvents = async (name: string) => {
    const { body } = await call('GET', '/audit_events?per_page=100')

    return body.filter((event: { event_name: string }) => event.event_name === name)
  }

  return { ...world, register, post, approve, exchange, refresh, authorize, statusWith, auditEvents }
}

export function credentials({ client_id, client_secret }: Partial<Client>): Form {
  return { ...(client_id && { client_id }), ...(client_secret && { client_secret }) }
}

export function basic({ client_id, client_secret }: Client) {
  return { authorization: `Basic ${btoa(`${client_id}:${client_secret}`)}` }
}

export function s256(text: string) {
  return createHash('sha256').update(text).digest('base64url')
}
