import { type EntityManager, query } from '#platform/database/database.ts'

interface Section {
  /** `$1` is the user; rows follow the id `$2`, in the order of ids. */
  from: string
  columns: string
}

/** The data of an account that its export contains, read in batches. It has no secrets. */
const sections: Record<string, Section> = {
  profile: {
    from: 'users t WHERE t.id = $1 AND t.id > $2',
    columns: `username, name, email, state, is_admin, is_external, created_at, confirmed_at, public_email, bio, location, organization, job_title,
      website_url, time_zone, is_private_profile, totp_enabled_at, current_sign_in_at, current_sign_in_ip, last_sign_in_at, last_sign_in_ip,
      last_activity_on`
  },
  emails: { from: 'user_emails t WHERE t.user_id = $1 AND t.id > $2', columns: 'email, confirmed_at, created_at' },
  passkeys: { from: 'passkeys t WHERE t.user_id = $1 AND t.id > $2', columns: 'name, created_at, last_used_at' },
  connected_sign_ins: { from: 'identities t WHERE t.user_id = $1 AND t.id > $2', columns: 'issuer, subject, email, created_at, seen_at' },
  sessions: { from: 'sessions t WHERE t.user_id = $1 AND t.id > $2', columns: 'ip, user_agent, created_at, seen_at, expires_at' },
  access_tokens: {
    from: 'access_tokens t WHERE t.user_id = $1 AND t.id > $2',
    columns: 'name, description, kind, scopes, created_at, expires_at, revoked_at, last_used_at'
  },
  memberships: {
    from: 'members t LEFT JOIN projects p ON p.id = t.project_id LEFT JOIN namespaces g ON g.id = t.group_id WHERE t.user_id = $1 AND t.id > $2',
    columns: 'p.full_path AS project, g.full_path AS group, t.access_level, t.expires_at, t.created_at'
  },
  notification_settings: {
    from: 'notification_settings t WHERE t.user_id = $1 AND t.id > $2',
    columns: 'project_id, group_id, level, events, notification_email'
  },
  saved_searches: { from: 'error_searches_saved t WHERE t.user_id = $1 AND t.id > $2', columns: 'project_id, name, query, created_at' },
  issues: {
    from: 'issues t WHERE t.author_id = $1 AND t.id > $2',
    columns: 'project_id, iid, issue_type, state, title, description, created_at, updated_at'
  },
  issue_comments: {
    from: 'issue_notes t WHERE t.author_id = $1 AND t.id > $2',
    columns: 'issue_id, action, body, created_at'
  },
  error_comments: { from: 'error_comments t WHERE t.author_id = $1 AND t.id > $2', columns: 'group_id AS error_id, body, created_at' },
  alert_comments: { from: 'alert_notes t WHERE t.author_id = $1 AND t.id > $2', columns: 'alert_id, action, body, created_at' },
  audit_events: {
    from: 'audit_events t WHERE t.author_id = $1 AND t.id > $2',
    columns: 'name, entity_type, entity_id, details, created_at'
  }
}

const batchSize = 500

/** The text of a JSON object with a list for each section, one batch in memory at a time. */
export async function* exportAccount(em: EntityManager, userId: number) {
  let separator = '{'

  for (const [name, section] of Object.entries(sections)) {
    yield `${separator}\n  ${JSON.stringify(name)}: [`
    yield* rowsOf(em, userId, section)
    yield ']'
    separator = ','
  }
  yield '\n}\n'
}

async function* rowsOf(em: EntityManager, userId: number, { from, columns }: Section) {
  let isFirst = true

  for (let after = 0; ; ) {
    const rows = await query<{ id: number; row: object }>(
      em,
      `SELECT r.export_id AS id, to_jsonb(r) - 'export_id' AS row
       FROM (SELECT t.id AS export_id, ${columns} FROM ${from} ORDER BY 1 LIMIT ${batchSize}) r ORDER BY 1`,
      [userId, after]
    )

    if (rows.length === 0) return
    yield `${isFirst ? '' : ','}\n    ${rows.map(({ row }) => JSON.stringify(row)).join(',\n    ')}`
    isFirst = false
    after = rows.at(-1)!.id
  }
}
