import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import Type from 'typebox'
import { writeTime } from '#lib/time.ts'
import { Role } from '#projects/members/member.ts'
import { checkWritable } from '#projects/visibility/refuse-read-only.ts'
import { createClientKey } from '../settings/change-client-keys.ts'
import { ClientKey } from '../settings/client-key.ts'
import { NewClientKey } from '../settings/setting-schemas.ts'
import { findProject } from './organization-projects.ts'

const Params = Type.Object({ org: Type.String(), project: Type.String() })
const SentryKey = Type.Object({
  id: Type.String(),
  name: Type.String(),
  label: Type.String(),
  public: Type.String(),
  isActive: Type.Boolean(),
  dateCreated: Type.String(),
  dsn: Type.Object({ public: Type.String() })
})

/** Sentry's name of a client key is DSN. */
export const clientKeyRoutes: FastifyPluginAsyncTypebox = async app => {
  const { config } = app.platform
  const path = '/projects/:org/:project/keys'

  app.get(
    path,
    {
      config: { role: 'developer' },
      schema: { summary: 'List client keys', params: Params, response: { 200: Type.Array(SentryKey) } }
    },
    async ({ em, user, params }) => {
      const { id } = await findProject(em, user, params.org, params.project)
      const keys = await em.find(ClientKey, { projectId: id }, { orderBy: { id: 'asc' }, limit: 100 })

      return keys.map(key => presentKey(key, config.baseUrl))
    }
  )

  app.post(
    path,
    {
      config: { role: 'maintainer' },
      schema: {
        summary: 'Create a client key',
        params: Params,
        body: Type.Object({ name: NewClientKey.properties.name }),
        response: { 201: SentryKey }
      }
    },
    async ({ em, user, actor, params, body }, reply) => {
      const project = await findProject(em, user, params.org, params.project, Role.maintainer)

      checkWritable(project)
      const key = await createClientKey(em, project, { name: body.name }, actor)

      return reply.code(201).send(presentKey(key, config.baseUrl))
    }
  )
}

function presentKey(key: ClientKey, baseUrl: string) {
  const name = key.name ?? 'Default'

  return {
    id: key.publicKey,
    name,
    label: name,
    public: key.publicKey,
    isActive: key.active,
    dateCreated: writeTime(key.createdAt),
    dsn: { public: key.dsn(baseUrl) }
  }
}
