import { defineEntity, p } from '@mikro-orm/core'

const GpgKeySchema = defineEntity({
  name: 'GpgKey',
  tableName: 'gpg_keys',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    userId: p.bigint('number'),
    /** ASCII-armored. */
    key: p.text(),
    fingerprint: p.text(),
    createdAt: p.datetime(3).onCreate(() => new Date())
  }
})

export class GpgKey extends GpgKeySchema.class {
  present() {
    return { id: this.id, key: this.key, created_at: this.createdAt.toISOString() }
  }
}

GpgKeySchema.setClass(GpgKey)
