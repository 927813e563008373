import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose'
import type { Config } from '#config.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { decrypt, encrypt } from '#platform/database/encryption.ts'
import { SigningKey } from './signing-key.ts'

export const algorithm = 'RS256'

const dayMs = 24 * 3600 * 1000
/** A key signs for this long. */
const lifetimeMs = 90 * dayMs
/** A new key is published for this long before it signs, so that clients with a cached JWKS know it. */
const publishedAheadMs = dayMs
/** A key stays published after its last signature: ID tokens live for two minutes, clocks differ. */
const publishedAfterMs = 3600 * 1000

/** The public keys that ID tokens may be signed with, as a JWK set (RFC 7517 §5). */
export async function publicKeys(em: EntityManager, config: Config, at: Date) {
  await signingKey(em, config, at)
  const keys = await publishedKeys(em, at)

  return { keys: keys.map(({ publicJwk }) => publicJwk) }
}

/** The private key to sign with now. The first one is generated on first use. */
export async function signingKey(em: EntityManager, config: Config, at: Date) {
  for (const key of inOrderOfUse(await publishedKeys(em, at), at)) {
    const privateJwk = await decrypt(config, key.privateKey, ownerOf(key.kid))

    if (privateJwk) return { kid: key.kid, key: await importJWK(JSON.parse(privateJwk) as JWK, algorithm) }
  }
  // Without a key, or after SECRET_KEY was changed.
  await createKey(em, config, at)

  return signingKey(em, config, at)
}

/** Creates the first key or the successor of an old one, and deletes keys that retired. Running it twice changes nothing. */
export async function rotateKeys(em: EntityManager, config: Config, at: Date) {
  await em.nativeDelete(SigningKey, { retiresAt: { $lte: at } })
  const [newest] = await publishedKeys(em, at)

  if (!newest || newest.createdAt.getTime() + lifetimeMs <= at.getTime()) await createKey(em, config, at)
}

/** Newest first. */
function publishedKeys(em: EntityManager, at: Date) {
  return em.find(SigningKey, { $or: [{ retiresAt: null }, { retiresAt: { $gt: at } }] }, { orderBy: { createdAt: 'desc', id: 'desc' } })
}

/** The newest key that was published long enough; when all are too new, the oldest. */
function inOrderOfUse(newestFirst: SigningKey[], at: Date) {
  const isSettled = ({ createdAt }: SigningKey) => at.getTime() - createdAt.getTime() >= publishedAheadMs

  return [...newestFirst.filter(isSettled), ...newestFirst.filter(key => !isSettled(key)).reverse()]
}

async function createKey(em: EntityManager, config: Config, at: Date) {
  const pair = await generateKeyPair(algorithm, { extractable: true })
  const publicJwk = await exportJWK(pair.publicKey)
  const kid = await calculateJwkThumbprint(publicJwk)
  const privateKey = await encrypt(config, JSON.stringify(await exportJWK(pair.privateKey)), ownerOf(kid))

  await em.transactional(async em => {
    await em.nativeUpdate(SigningKey, { retiresAt: null }, { retiresAt: new Date(at.getTime() + publishedAheadMs + publishedAfterMs) })
    em.create(SigningKey, {
      kid,
      privateKey,
      publicJwk: { kty: 'RSA', n: publicJwk.n!, e: publicJwk.e!, kid, alg: algorithm, use: 'sig' },
      createdAt: at
    })
  })
}

function ownerOf(kid: string) {
  return `signing key ${kid}`
}
