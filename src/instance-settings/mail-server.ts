import { defineEntity, p } from '@mikro-orm/core'
import { decrypt, encrypt, type KeySource } from '#platform/database/encryption.ts'
import { updatedAt } from '#platform/database/updated-at.ts'
import type { MailSecurity } from '#platform/mail/smtp-url.ts'

export const MailServerSchema = defineEntity({
  name: 'MailServer',
  tableName: 'mail_server',
  properties: {
    /** Always 1. */
    id: p.smallint().primary(),
    host: p.text(),
    port: p.integer(),
    security: p.text().$type<MailSecurity>(),
    /** Empty where nobody signs in. */
    username: p.text(),
    /** Encrypted. */
    password: p.blob().nullable(),
    /** The sender, such as `Tocsin <tocsin@example.com>`; empty for the default. */
    sender: p.text(),
    updatedAt: updatedAt()
  }
})

/** The mail server that an admin set. SMTP_URL wins. */
export class MailServer extends MailServerSchema.class {}

MailServerSchema.setClass(MailServer)

const owner = 'mail server'

export function encryptMailPassword(source: KeySource, password: string) {
  return encrypt(source, password, owner)
}

export function decryptMailPassword(source: KeySource, stored: Uint8Array) {
  return decrypt(source, stored, owner)
}
