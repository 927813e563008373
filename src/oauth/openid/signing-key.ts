import { defineEntity, p } from '@mikro-orm/core'

export const SigningKeySchema = defineEntity({
  name: 'SigningKey',
  tableName: 'oauth_signing_keys',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    /** The thumbprint of the public key (RFC 7638). */
    kid: p.text(),
    /** A JWK, encrypted with SECRET_KEY. */
    privateKey: p.blob(),
    publicJwk: p.json<Record<'kty' | 'n' | 'e' | 'kid' | 'alg' | 'use', string>>(),
    createdAt: p.datetime(3).onCreate(() => new Date()),
    retiresAt: p.datetime(3).nullable()
  }
})

/** Signs ID tokens. */
export class SigningKey extends SigningKeySchema.class {}

SigningKeySchema.setClass(SigningKey)
