import type pg from 'pg'
import type { MailSecurity } from '#platform/mail/smtp-url.ts'

export interface StoredRow {
  base_url: string | null
  host: string | null
  port: number
  security: MailSecurity
  username: string
  password: Buffer | null
  sender: string
}

/** What admins set, in one row. Every process reads it, also one without entities. */
export async function readStoredConfig(pool: pg.Pool) {
  const { rows } = await pool.query<StoredRow>(
    `SELECT (SELECT base_url FROM instance_settings) AS base_url, m.host, m.port, m.security, m.username, m.password, m.sender
     FROM (VALUES (1)) AS one (id) LEFT JOIN mail_server m ON m.id = one.id`
  )

  return rows[0]!
}
