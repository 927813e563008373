import { hash } from 'node:crypto'
import { isEmpty, type Json, objectOrUndefined } from '#lib/json.ts'
import { singleLine, truncateTree } from './truncate.ts'

export interface AffectedUser {
  /** The best identifier with its kind: `id:17`, `email:ann@example.com`. */
  key: string
  /** Hash of the key, to count distinct users. */
  hash: Buffer
}

/** Best first. */
const identifiers = ['id', 'email', 'username', 'ip_address'] as const

/** A user with its identifiers as text; `{{auto}}`, which asks the server for the address, is removed. */
export function normaliseUser(value: unknown): Json | undefined {
  if (typeof value === 'string' || typeof value === 'number') return normaliseUser({ id: value })
  const sent = objectOrUndefined(value)

  if (!sent) return undefined
  const user = truncateTree(sent, { depth: 5, text: 1024, total: 16_384 }) as Json

  for (const identifier of identifiers) {
    const text = singleLine(sent[identifier], 255)

    if (text && text !== '{{auto}}') user[identifier] = text
    else delete user[identifier]
  }

  return isEmpty(user) ? undefined : user
}

/** Identifies the affected user by the best identifier that was not scrubbed. */
export function identifyUser(user: Json | undefined): AffectedUser | undefined {
  const identifier = user && identifiers.find(name => user[name] && user[name] !== '[Filtered]')

  if (!identifier) return undefined
  const key = `${identifier === 'ip_address' ? 'ip' : identifier}:${user[identifier]}`

  return { key, hash: hash('sha256', key, 'buffer').subarray(0, 16) }
}

/** The identifiers that were not scrubbed: `user.email`. */
export function userTags(user: Json | undefined) {
  const tags: Record<string, string> = {}

  for (const name of user ? identifiers : []) {
    const value = user![name]

    if (typeof value === 'string' && value !== '[Filtered]') tags[`user.${name === 'ip_address' ? 'ip' : name}`] = value
  }

  return tags
}
