import type pg from 'pg'

/** Migrations use `NULLS NOT DISTINCT`, which came with 15. */
const oldest = 15

/** Postgres is too old for the migrations. */
export class OldDatabase extends Error {
  override name = 'OldDatabase'

  constructor(version: string) {
    super(`The database (DATABASE_URL) is Postgres ${version}. Upgrade it to Postgres ${oldest} or newer (docs/install.md).`)
  }
}

/** Throws before the migrations would end midway. */
export async function requireVersion(pool: Pick<pg.Pool, 'query'>) {
  const { rows } = await pool.query<{ version: string }>("SELECT current_setting('server_version') AS version")
  const { version } = rows[0]!

  if (Number.parseInt(version, 10) < oldest) throw new OldDatabase(version)
}
