import { randomBytes } from 'node:crypto'
import pg from 'pg'

export type QueueKind = 'postgres' | 'redis'

/** The database of tests that need no world, such as those of migrations. */
export const databaseUrl = process.env.TEST_DATABASE_URL ?? ''

export const templateName = 'template_world'
/** The schema of the template, which each copy renames. */
export const templateNamespace = 'template_of_worlds'

export function newNamespace() {
  return `t_${randomBytes(5).toString('hex')}`
}

export function urlOf(database: string) {
  const url = new URL(databaseUrl.replace('@/', '@localhost/'))

  url.pathname = database

  return url.href.replace('@localhost/', '@/')
}

/** A database with all tables and the first admin: a copy of the template, with schemas of its own name. Returns its URL. */
export async function createDatabase(namespace: string, kind: QueueKind) {
  await onServer(client => client.query(`CREATE DATABASE ${namespace} TEMPLATE ${templateName}`))
  const url = urlOf(namespace)

  await onDatabase(url, client => renameSchemas(client, namespace, kind))

  return url
}

export async function dropDatabase(namespace: string) {
  await onServer(client => client.query(`DROP DATABASE IF EXISTS ${namespace} WITH (FORCE)`))
}

/** The queue's functions name their schema. */
async function renameSchemas(client: pg.Client, namespace: string, kind: QueueKind) {
  await client.query(`ALTER SCHEMA ${templateNamespace} RENAME TO ${namespace}`)
  if (kind === 'redis') return void (await client.query(`DROP SCHEMA ${templateNamespace}_queue CASCADE`))
  await client.query(`ALTER SCHEMA ${templateNamespace}_queue RENAME TO ${namespace}_queue`)
  await client.query(`
    DO $do$
    DECLARE definition text;
    BEGIN
      SET LOCAL check_function_bodies = off;
      FOR definition IN SELECT pg_get_functiondef(oid) FROM pg_proc
        WHERE pronamespace = '${namespace}_queue'::regnamespace AND prokind = 'f'
        AND (prosrc LIKE '%${templateNamespace}%' OR proconfig::text LIKE '%${templateNamespace}%') LOOP
        EXECUTE replace(definition, '${templateNamespace}_queue', '${namespace}_queue');
      END LOOP;
    END $do$`)
}

export async function dropSchemas(namespace: string) {
  await onServer(client => client.query(`DROP SCHEMA IF EXISTS ${namespace} CASCADE; DROP SCHEMA IF EXISTS ${namespace}_queue CASCADE`))
}

/** Runs on the server's own database. */
function onServer<T>(run: (client: pg.Client) => Promise<T>) {
  return onDatabase(databaseUrl, run)
}

export async function onDatabase<T>(connectionString: string, run: (client: pg.Client) => Promise<T>) {
  const client = new pg.Client({ connectionString })

  await client.connect()
  try {
    return await run(client)
  } finally {
    await client.end()
  }
}
