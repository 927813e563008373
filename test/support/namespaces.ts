import { randomBytes } from 'node:crypto'
import { Redis } from 'ioredis'
import pg from 'pg'

export type QueueKind = 'postgres' | 'redis'

export const databaseUrl = process.env.TEST_DATABASE_URL ?? ''
export const redisUrl = process.env.TEST_REDIS_URL ?? ''

export function newNamespace() {
  return `t_${randomBytes(5).toString('hex')}`
}

/**
 * One that another test is done with, or a new one: making all tables takes longer than most tests. What one leaves is
 * emptied, and the next one, of any file, goes on with it as though it were new.
 */
export async function takeNamespace(kind: QueueKind) {
  return onDatabase(async client => {
    // In one transaction, and one process after the other.
    await client.query(`
      SELECT pg_advisory_xact_lock(hashtext('spare namespaces'));
      CREATE TABLE IF NOT EXISTS public.spare_namespaces (name text PRIMARY KEY, kind text NOT NULL);
      CREATE TABLE IF NOT EXISTS public.namespace_shapes (kind text PRIMARY KEY, shape text NOT NULL)`)
    const { rows } = await client.query(
      `DELETE FROM public.spare_namespaces WHERE name =
         (SELECT name FROM public.spare_namespaces WHERE kind = $1 LIMIT 1 FOR UPDATE SKIP LOCKED) RETURNING name`,
      [kind]
    )

    return { namespace: (rows[0]?.name as string | undefined) ?? newNamespace(), isNew: rows.length === 0 }
  })
}

/** What a new one looks like, before its test does anything to it. */
export async function noteShape(namespace: string, kind: QueueKind) {
  await onDatabase(async client => {
    await client.query('INSERT INTO public.namespace_shapes VALUES ($1, $2) ON CONFLICT DO NOTHING', [
      kind,
      await shapeOf(client, schemasOf(namespace, kind))
    ])
  })
}

/** Leaves it to the next test, unless this one built something else into it. */
export async function giveNamespaceBack(namespace: string, kind: QueueKind) {
  await removeKeys(namespace)
  await onDatabase(async client => {
    const schemas = schemasOf(namespace, kind)

    await empty(client, schemas)
    const { rows } = await client.query('SELECT 1 FROM public.namespace_shapes WHERE kind = $1 AND shape = $2', [
      kind,
      await shapeOf(client, schemas)
    ])

    if (rows.length === 0) return drop(client, namespace)
    await client.query('INSERT INTO public.spare_namespaces VALUES ($1, $2)', [namespace, kind])
  })
}

/** Keeps what the first steps make, for those who come later: hashing the password of the first admin alone takes a while. */
export async function noteFirstRows(namespace: string) {
  await onDatabase(async client => {
    const { rows: tables } = await client.query(
      `SELECT relname AS name, (SELECT string_agg(quote_ident(attname), ', ') FROM pg_attribute
         WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = '') AS columns
       FROM pg_class c WHERE relkind = 'r' AND relname NOT LIKE 'migration%' AND relnamespace::regnamespace::text = $1`,
      [namespace]
    )
    const steps: string[] = []

    for (const { name, columns } of tables) {
      const { rows } = await client.query(`SELECT jsonb_agg(kept)::text AS kept FROM "${namespace}"."${name}" kept`)
      if (rows[0].kept)
        steps.push(`INSERT INTO ${name} (${columns}) OVERRIDING SYSTEM VALUE
        SELECT ${columns} FROM jsonb_populate_recordset(NULL::${name}, ${pg.escapeLiteral(rows[0].kept)})`)
    }
    const { rows: numbers } = await client.query(
      'SELECT sequencename AS name, last_value FROM pg_sequences WHERE schemaname = $1 AND last_value IS NOT NULL',
      [namespace]
    )

    for (const { name, last_value: last } of numbers) steps.push(`SELECT setval('${name}', ${last})`)
    await client.query('CREATE TABLE IF NOT EXISTS public.first_rows (id int PRIMARY KEY, steps text NOT NULL)')
    await client.query('INSERT INTO public.first_rows VALUES (1, $1) ON CONFLICT DO NOTHING', [steps.join(';\n')])
  })
}

/** Undefined when none is recorded yet, or another process holds the lock. */
export async function takeFirstRows(namespace: string) {
  await onDatabase(async client => {
    const { rows: known } = await client.query("SELECT to_regclass('public.first_rows') AS name")

    if (!known[0].name) return
    const { rows } = await client.query(`SELECT steps FROM public.first_rows WHERE NOT EXISTS (SELECT FROM "${namespace}".users)`)

    if (rows.length === 0) return
    await client.query(`SET LOCAL search_path = "${namespace}"; SET LOCAL session_replication_role = replica; ${rows[0].steps}`)
  })
}

function schemasOf(namespace: string, kind: QueueKind) {
  return kind === 'postgres' ? [namespace, `${namespace}_queue`] : [namespace]
}

export async function removeNamespace(namespace: string) {
  await removeKeys(namespace)
  await onDatabase(client => drop(client, namespace))
}

async function drop(client: pg.ClientBase, namespace: string) {
  await client.query(`DROP SCHEMA IF EXISTS "${namespace}" CASCADE`)
  await client.query(`DROP SCHEMA IF EXISTS "${namespace}_queue" CASCADE`)
}

async function removeKeys(namespace: string) {
  if (!redisUrl) return
  const redis = new Redis(redisUrl)
  const keys = await redis.keys(`{${namespace}.*`)

  if (keys.length > 0) await redis.del(...keys)
  redis.disconnect()
}

/** No rows but of migrations, numbers from 1 on, no days. */
async function empty(client: pg.ClientBase, schemas: string[]) {
  const names = `ARRAY[${schemas.map(name => `'${name}'`)}]`

  await client.query(
    `DO $do$
     DECLARE
       found record;
       has_rows boolean;
     BEGIN
       FOR found IN SELECT c.oid::regclass AS name FROM pg_inherits JOIN pg_class c ON c.oid = inhrelid AND c.relkind = 'r'
         WHERE c.relnamespace::regnamespace::text = ANY (${names}) LOOP
         EXECUTE format('DROP TABLE %s', found.name);
       END LOOP;
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
       PERFORM setval(format('%I.%I', schemaname, sequencename)::regclass, start_value, false) FROM pg_sequences
         WHERE schemaname = ANY (${names}) AND last_value IS NOT NULL
         AND sequencename NOT LIKE 'migration%';
     END $do$`
  )
}

/** Of all tables, columns, rules, triggers and functions; the same in every namespace of a kind. */
async function shapeOf(client: pg.ClientBase, schemas: string[]) {
  const { rows } = await client.query(
    `SELECT md5(string_agg(part, ',' ORDER BY part)) AS shape FROM (
       SELECT concat_ws(' ', relname, attname, replace(format_type(atttypid, atttypmod), $2, ''), attnotnull) FROM pg_attribute JOIN pg_class c ON c.oid = attrelid
         WHERE relnamespace::regnamespace::text = ANY ($1) AND attnum > 0
       UNION ALL SELECT concat_ws(' ', conname, contype) FROM pg_constraint WHERE connamespace::regnamespace::text = ANY ($1)
       UNION ALL SELECT concat_ws(' ', tgname, tgenabled) FROM pg_trigger JOIN pg_class c ON c.oid = tgrelid
         WHERE relnamespace::regnamespace::text = ANY ($1) AND NOT tgisinternal
       UNION ALL SELECT concat_ws(' ', proname, md5(replace(prosrc, $2, ''))) FROM pg_proc WHERE pronamespace::regnamespace::text = ANY ($1)
     ) AS parts (part)`,
    [schemas, schemas[0]]
  )

  return rows[0].shape as string
}

/** Kept between tests, and no reason for a process to go on. */
const connections = new pg.Pool({ connectionString: databaseUrl, max: 1, allowExitOnIdle: true })

async function onDatabase<T>(run: (client: pg.ClientBase) => Promise<T>) {
  const client = await connections.connect()

  try {
    return await run(client)
  } finally {
    client.release()
  }
}
