import { join } from 'node:path'
import type pg from 'pg'
import { deriveKey, type KeySource, keyFile } from './encryption.ts'

/** The secret key is another one than that of the installation. */
export class WrongSecretKey extends Error {
  override name = 'WrongSecretKey'

  constructor({ secretKey, dataDir }: KeySource) {
    const given = secretKey === undefined ? join(dataDir, keyFile) : 'SECRET_KEY'

    super(
      `${given} is not the key of this installation: stored credentials and queued jobs are encrypted with another one. Set SECRET_KEY to ` +
        'that of the other processes, or restore secret.key. To replace a lost key, see docs/operations.md, "The secret key".'
    )
  }
}

/** Throws unless the key is the one that the first process of the installation had. */
export async function requireSecretKey(pool: pg.Pool, source: KeySource) {
  const fingerprint = (await deriveKey(source, 'fingerprint')).toString('hex')
  // A no-op update returns the row of another process.
  const { rows } = await pool.query(
    'INSERT INTO secret_key (fingerprint) VALUES ($1) ON CONFLICT (id) DO UPDATE SET id = 1 RETURNING fingerprint',
    [fingerprint]
  )

  if (rows[0].fingerprint !== fingerprint) throw new WrongSecretKey(source)
}
