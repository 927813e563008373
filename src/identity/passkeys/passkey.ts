import { defineEntity, p } from '@mikro-orm/core'
import { User } from '../users/user.ts'

export const PasskeySchema = defineEntity({
  name: 'Passkey',
  tableName: 'passkeys',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    user: () => p.manyToOne(User),
    name: p.text(),
    credentialId: p.blob(),
    /** In the COSE format. */
    publicKey: p.blob(),
    /** How often it has signed; 0 when it does not count, as passkeys that several devices share. */
    counter: p.bigint('number'),
    /** How browsers reach it, such as `internal` or `usb`. */
    transports: p.array<string>().columnType('text[]'),
    createdAt: p.datetime(3).onCreate(() => new Date()),
    lastUsedAt: p.datetime(3).nullable()
  }
})

/** A key pair for one user at this site; the private key stays in a device or a password manager (WebAuthn Level 3). */
export class Passkey extends PasskeySchema.class {
  /** False when its counter did not advance, so that it may be a copy (WebAuthn Level 3 §6.1.1). */
  use(counter: number, at: Date) {
    if ((counter > 0 || this.counter > 0) && counter <= this.counter) return false
    this.counter = counter
    this.lastUsedAt = at

    return true
  }
}

PasskeySchema.setClass(Passkey)
