import { createHmac, randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { EntityManager } from '#platform/database/database.ts'
import { authenticatePassword, type Login } from '../sessions/authenticate-password.ts'
import type { Client } from '../sessions/sessions.ts'
import { User } from '../users/user.ts'

const rememberedMs = 60_000

/**
 * Verifies the passwords of git, which sends them with each of the requests of a clone. For a minute, only the first one costs
 * a hash and counts as an attempt; a changed password or a locked account ends it.
 */
export class RememberedPasswords {
  #secret = randomBytes(32)
  #verified = new LRUCache<string, { id: number; passwordHash: string | null }>({ max: 1000, ttl: rememberedMs })

  async authenticate(
    em: EntityManager,
    login: Login,
    client: Client,
    countGuess: () => Promise<void>
  ): Promise<User | 'invalid' | 'blocked' | 'pending'> {
    const key = createHmac('sha256', this.#secret).update(JSON.stringify(login)).digest('base64')
    const verified = this.#verified.get(key)
    const user = verified && (await em.findOne(User, verified))
    const at = new Date()

    if (user?.maySignIn() && !user.isLocked(at)) return user
    await countGuess()
    const found = await authenticatePassword(em, login, client, at)

    if (typeof found !== 'string') this.#verified.set(key, { id: found.id, passwordHash: found.passwordHash ?? null })

    return found
  }
}
