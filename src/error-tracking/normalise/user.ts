import { hash } from 'node:crypto'
import { asName, asObject, isEmpty, type Json } from './json.ts'
import { truncateTree } from './truncate.ts'

export interface AffectedUser {
  /** What is known best, and what kind of thing it is: `id:17`, `email:ann@example.com`. */
  key: string
  /** To count by: the same user has the same in every event. */
  hash: Buffer
}

const identities = ['id', 'email', 'username', 'ip_address'] as const

/** A user's identities as text; the address is left out where the SDK wants the server to find it, and nobody has. */
export function readUser(given: unknown): Json | undefined {
  if (typeof given === 'string' || typeof given === 'number') return readUser({ id: given })
  const known = asObject(given)

  if (!known) return undefined
  const user = truncateTree(known, { depth: 5, text: 1024, total: 16_384 }) as Json

  for (const identity of identities) {
    const name = asName(known[identity], 255)

    if (name && name !== '{{auto}}') user[identity] = name
    else delete user[identity]
  }

  return isEmpty(user) ? undefined : user
}

/** Who was affected, by the best that is known; nobody when that was filtered. */
export function identifyUser(user: Json | undefined): AffectedUser | undefined {
  const identity = user && identities.find(each => user[each] && user[each] !== '[Filtered]')

  if (!identity) return undefined
  const key = `${identity === 'ip_address' ? 'ip' : identity}:${user[identity]}`

  return { key, hash: hash('sha256', key, 'buffer').subarray(0, 16) }
}
