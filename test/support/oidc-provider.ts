import { generateKeyPairSync } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import OidcProvider from 'oidc-provider'
import MemoryAdapter from 'oidc-provider/lib/adapters/memory_adapter.js'
import type { Test } from 'tap'
import { atEndOfProcess } from './shared.ts'

export const callbackUrl = 'http://tocsin.test/users/auth/openid_connect/callback'

type Login = { subject: string } | { error: string }
type Started = Awaited<ReturnType<typeof startProvider>>

let shared: Promise<Started> | undefined

/** The process's OpenID Connect provider, of which nobody is known: worlds that use it can be shared. */
export async function openOidcProvider(t: Test) {
  shared ??= startProvider()
  const provider = await shared

  t.teardown(() => provider.people.clear())

  return provider
}

/** Of oidc-provider, with a browser in which people sign in at once. */
async function startProvider() {
  /** Claims by subject. */
  const people = new Map<string, Record<string, unknown>>()
  /** Who signs in, or the error that sends them back. */
  const next: { login: Login } = { login: { error: 'access_denied' } }
  const server = createServer()

  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const provider = new OidcProvider(issuer, {
    clients: [{ client_id: 'tocsin', client_secret: 'the secret of tocsin', redirect_uris: [callbackUrl] }],
    scopes: ['openid', 'profile', 'email'],
    claims: { openid: ['sub', 'groups'], profile: ['name', 'preferred_username'], email: ['email', 'email_verified'] },
    // A class of its own: the provider warns of the original.
    adapter: class extends MemoryAdapter {},
    jwks: { keys: [generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' })] },
    cookies: { keys: ['a key of the tests'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_ctx: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: async (_ctx: unknown, sub: string) => ({ accountId: sub, claims: async () => ({ sub, ...people.get(sub) }) }),
    loadExistingGrant: async (ctx: { oidc: { client: { clientId: string }; session: { accountId: string } } }) => {
      const { client, session } = ctx.oidc
      const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId })

      grant.addOIDCScope('openid profile email')
      await grant.save()

      return grant
    }
  })
  const answer = provider.callback()

  server.on('request', async (request, response) => {
    if (!request.url!.startsWith('/interaction/')) return answer(request, response)
    const { login } = next

    await provider.interactionFinished(request, response, 'error' in login ? login : { login: { accountId: login.subject } })
  })
  atEndOfProcess(async () => {
    server.closeAllConnections()
    server.close()
  })

  return {
    issuer,
    people,
    env: { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: 'tocsin', OIDC_CLIENT_SECRET: 'the secret of tocsin', OIDC_NAME: 'Keyring' },
    /** Follows an authorization request until it leads back; returns that path. */
    async signIn(url: string, login: Login) {
      next.login = login
      const cookies = new Map<string, string>()
      let at = url

      while (!at.startsWith(callbackUrl)) {
        const headers = { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') }
        const response = await fetch(at, { redirect: 'manual', headers })
        const location = response.headers.get('location')

        if (!location) throw new Error(`${at} answers with ${response.status}: ${await response.text()}`)
        for (const [, name = '', value = ''] of response.headers.getSetCookie().map(one => /^([^=]+)=([^;]*)/.exec(one)!))
          cookies.set(name, value)
        at = new URL(location, at).href
      }

      return at.slice('http://tocsin.test'.length)
    }
  }
}
