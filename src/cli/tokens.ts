import { AccessToken, activeTokens } from '#identity/tokens/access-token.ts'
import { revokeToken as revoke } from '#identity/tokens/revoke-token.ts'
import { onPlatform, table } from './command.ts'
import { commandLine, findUser, issueFor } from './command-line.ts'

export const listTokens = onPlatform(async ({ fork }, { args: [username] }) => {
  const em = fork()
  const owner = username ? { user: await findUser(em, username) } : {}
  const tokens = await em.find(AccessToken, { ...owner, ...activeTokens(new Date()) }, { populate: ['user'], orderBy: { id: 'asc' } })
  const rows = tokens.map(present)

  return {
    json: rows,
    text: table(
      ['ID', 'User', 'Name', 'Kind', 'Scopes', 'Expires', 'Last used'],
      rows.map(token => [
        token.id,
        token.username,
        token.name,
        token.kind,
        token.scopes.join(','),
        dayOf(token.expires_at),
        dayOf(token.last_used_at)
      ])
    )
  }
})

export const createToken = onPlatform(async ({ fork }, { args: [username = ''], options }) => {
  const em = fork()
  const user = await findUser(em, username)
  const { token, secret } = await issueFor(em, user, {
    scopes: (options.scopes ?? 'read_api').split(',').map(scope => scope.trim()),
    ...(options.name && { name: options.name }),
    ...(options.expires && { expires_at: options.expires })
  })

  return { json: { ...present(token), token: secret }, text: `Token      ${secret}   (shown only once)` }
})

export const revokeToken = onPlatform(async ({ fork }, { args: [id = ''] }) => {
  const em = fork()
  const token = /^\d{1,15}$/.test(id) && (await em.findOne(AccessToken, { id: Number(id) }, { populate: ['user'] }))

  if (!token) throw new Error(`There is no token with the id "${id}". List them with: tocsin token list`)
  await revoke(em, commandLine, token, new Date())

  return { json: present(token), text: `The token "${token.name}" of ${token.user.username} is revoked.` }
})

function present({ id, user, name, kind, scopes, expiresAt, lastUsedAt }: AccessToken) {
  return { id, username: user.username, name, kind, scopes, expires_at: expiresAt ?? null, last_used_at: lastUsedAt ?? null }
}

function dayOf(at: Date | null) {
  return at?.toISOString().slice(0, 10) ?? ''
}
