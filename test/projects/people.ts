import { hashSecret } from '#identity/secrets.ts'
import type { openApp } from '../support/world.ts'

type World = Pick<Awaited<ReturnType<typeof openApp>>, 'platform' | 'call'>

/** A user with a personal namespace and a token. */
export async function aPerson({ platform, call }: World, username: string, { isExternal = false } = {}) {
  const { pool } = platform
  const token = `glpat-token-of-${username}`
  const { rows } = await pool.query('INSERT INTO users (username, name, email, is_external) VALUES ($1, $2, $1, $3) RETURNING id', [
    username,
    `Name of ${username}`,
    isExternal
  ])
  const id = rows[0].id

  await pool.query(`INSERT INTO namespaces (kind, name, path, full_path, owner_id) VALUES ('user', $1, $1, $1, $2)`, [username, id])
  await pool.query(`INSERT INTO access_tokens (user_id, name, token_hash, scopes) VALUES ($1, 'test', $2, '{api}')`, [
    id,
    hashSecret(token)
  ])

  return {
    id,
    username,
    token,
    call: (method: Parameters<World['call']>[0], url: string, body?: object) => call(method, url, body, token)
  }
}
