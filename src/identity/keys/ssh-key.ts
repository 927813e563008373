import { defineEntity, p } from '@mikro-orm/core'
import Type from 'typebox'
import { Nullable } from '../../http/parameters/nullable.ts'

const SshKeySchema = defineEntity({
  name: 'SshKey',
  tableName: 'ssh_keys',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    /** Null for a deploy key. */
    userId: p.bigint('number').nullable(),
    title: p.text(),
    /** In the format of OpenSSH: type, Base64 and comment. */
    key: p.text(),
    fingerprintMd5: p.text(),
    fingerprintSha256: p.text(),
    usageType: p.text().$type<UsageType>().default('auth_and_signing'),
    createdAt: p.datetime(3).onCreate(() => new Date()),
    expiresAt: p.datetime(3).nullable(),
    lastUsedAt: p.datetime(3).nullable()
  }
})

export const usageTypes = ['auth', 'signing', 'auth_and_signing'] as const
type UsageType = (typeof usageTypes)[number]

export const SshKeyShape = Type.Object({
  id: Type.Integer(),
  title: Type.String(),
  created_at: Type.String(),
  expires_at: Nullable(Type.String()),
  last_used_at: Nullable(Type.String()),
  key: Type.String(),
  usage_type: Type.Enum([...usageTypes])
})

export class SshKey extends SshKeySchema.class {
  present() {
    return {
      id: this.id,
      title: this.title,
      created_at: this.createdAt.toISOString(),
      expires_at: this.expiresAt?.toISOString() ?? null,
      last_used_at: this.lastUsedAt?.toISOString() ?? null,
      key: this.key,
      usage_type: this.usageType
    }
  }
}

SshKeySchema.setClass(SshKey)
