import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import Type from 'typebox'

const Version = { version: Type.String(), revision: Type.String() }
const Metadata = Type.Object({
  ...Version,
  enterprise: Type.Boolean()
})

/** The GitLab version that clients adapt to. */
export async function versionRoutes(app: FastifyInstance) {
  const version = { version: `${app.platform.config.serviceVersion}.0`, revision: revision(join(import.meta.dirname, '../..')) }
  const options = { config: { scopes: ['api', 'read_api', 'read_user'], role: 'user' as const } }

  app.get('/version', { ...options, schema: { summary: 'Get the version', response: { 200: Type.Object(Version) } } }, async () => version)

  app.get('/metadata', { ...options, schema: { summary: 'Get metadata of this installation', response: { 200: Metadata } } }, async () => ({
    ...version,
    enterprise: false
  }))
}

/** The commit of a git checkout, or the one that an image was built of; an unpacked release has none. */
function revision(root: string) {
  const built = join(root, 'REVISION')

  if (existsSync(built)) return readFileSync(built, 'utf8').trim().slice(0, 11)
  const read = (path: string) => readFileSync(join(root, '.git', path), 'utf8').trim()

  try {
    const [, ref] = /^ref: (.+)$/.exec(read('HEAD')) ?? []
    if (!ref) return read('HEAD').slice(0, 11)
    if (existsSync(join(root, '.git', ref))) return read(ref).slice(0, 11)
    const packed = read('packed-refs').split('\n')

    return packed.find(line => line.endsWith(` ${ref}`))?.slice(0, 11) ?? 'unknown'
  } catch {
    return 'unknown'
  }
}
