import { Redis } from 'ioredis'
import pg from 'pg'
import type { Config } from '#config.ts'
import { redisUrl } from './config.ts'
import { onDatabase } from './databases.ts'

/** Statements that write what the first steps made. */
export type FirstRows = string

/** Removes what a test left, and all jobs. Identities go on, because caches of the process still know the former ones. */
export async function emptyNamespace(config: Config, firstRows?: FirstRows) {
  await removeKeys(config.namespace)
  await onDatabase(config.databaseUrl, async client => {
    await empty(client, [config.namespace, `${config.namespace}_queue`])
    if (firstRows) await client.query(firstRows)
  })
}

/** What a new world has. */
export async function readFirstRows({ databaseUrl, namespace }: Config): Promise<FirstRows> {
  return onDatabase(databaseUrl, async client => {
    const { rows: tables } = await client.query(
      `SELECT relname AS name, (SELECT string_agg(quote_ident(attname), ', ') FROM pg_attribute
         WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = '') AS columns
       FROM pg_class c WHERE relkind = 'r' AND relname NOT LIKE 'migration%' AND pg_relation_size(oid) > 0
       AND relnamespace::regnamespace::text = $1`,
      [namespace]
    )
    const inserts: string[] = []

    for (const { name, columns } of tables) {
      const { rows } = await client.query(`SELECT jsonb_agg(kept)::text AS kept FROM "${namespace}"."${name}" kept`)

      if (rows[0].kept)
        inserts.push(`INSERT INTO ${name} (${columns}) OVERRIDING SYSTEM VALUE
          SELECT ${columns} FROM jsonb_populate_recordset(NULL::${name}, ${pg.escapeLiteral(rows[0].kept)})`)
    }

    return `SET LOCAL search_path = "${namespace}"; SET LOCAL session_replication_role = replica; ${inserts.join('; ')}`
  })
}

export async function removeKeys(namespace: string) {
  if (!redisUrl) return
  const redis = new Redis(redisUrl)
  const keys = await redis.keys(`{${namespace}.*`)

  if (keys.length > 0) await redis.del(...keys)
  redis.disconnect()
}

/** No rows but of migrations, no days. Numbers go on: caches of the process still know the former ones. */
async function empty(client: pg.ClientBase, schemas: string[]) {
  const names = `ARRAY[${schemas.map(name => `'${name}'`)}]`

  await client.query(
    `DO $do$
     DECLARE
       found record;
       has_rows boolean;
     BEGIN
       SET LOCAL session_replication_role = replica;
       FOR found IN SELECT c.oid::regclass AS name FROM pg_class c
         WHERE relkind = 'r' AND relname NOT LIKE 'migration%'
         AND relnamespace::regnamespace::text = ANY (${names}) LOOP
         CONTINUE WHEN pg_relation_size(found.name) = 0;
         EXECUTE format('SELECT EXISTS (SELECT FROM %s)', found.name) INTO has_rows;
         -- Making a file anew takes longer than removing a few rows; but many would be in the way of the next test.
         IF has_rows AND pg_relation_size(found.name) > 500000 THEN EXECUTE format('TRUNCATE %s CASCADE', found.name);
         ELSIF has_rows THEN EXECUTE format('DELETE FROM %s', found.name); END IF;
       END LOOP;
     END $do$`
  )
}
