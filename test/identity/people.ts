import type { openApp } from '../support/world.ts'

type Call = Awaited<ReturnType<typeof openApp>>['call']

/** A user with a token, both created by the first admin. */
export async function aPerson(call: Call, username: string, { scopes = ['api'], ...attributes }: Record<string, unknown> = {}) {
  const { body: user } = await call('POST', '/users', {
    username,
    name: username,
    email: `${username}@example.com`,
    force_random_password: true,
    ...attributes
  })
  const { body: token } = await call('POST', `/users/${user.id}/personal_access_tokens`, { name: 'first', scopes })

  return { user, id: user.id as number, token: token.token as string, tokenId: token.id as number }
}

/** The date in `days` days, as clients send it. */
export function inDays(days: number) {
  return new Date(Date.now() + days * 24 * 3600 * 1000).toISOString().slice(0, 10)
}
