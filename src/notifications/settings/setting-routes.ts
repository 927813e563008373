import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import Type, { type Static } from 'typebox'
import type { Viewer } from '#identity/viewer.ts'
import { MissingParameters, Rejected } from '#lib/refusals.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { findGroup, findProject } from '#projects/find-project.ts'
import { ById } from '#projects/schemas.ts'
import { changeSetting, findSetting, type SettingScope } from './change-setting.ts'
import { type Flag, flags, hasFlag, type Level, levels, type NotificationSetting } from './notification-setting.ts'

const Flags = Type.Partial(Type.Object(Object.fromEntries(flags.map(flag => [flag, Type.Boolean()])) as Record<Flag, Type.TBoolean>))
const Body = Type.Object({
  level: Type.Optional(Type.String({ description: `One of ${levels.join(', ')}.` })),
  ...Flags.properties
})
const GlobalBody = Type.Object({
  ...Body.properties,
  notification_email: Type.Optional(Type.String({ maxLength: 255, description: 'One of your confirmed addresses.' }))
})
const Shape = Type.Object({
  level: Type.String(),
  notification_email: Type.Optional(Type.String({ description: 'Only in the global setting.' })),
  events: Type.Optional(Type.Record(Type.String(), Type.Boolean(), { description: 'Only with the level `custom`.' }))
})

interface Endpoint {
  path: string
  of: string
  params: Type.TObject
  body: typeof Body | typeof GlobalBody
  find: (em: EntityManager, viewer: Viewer, id: string) => Promise<SettingScope>
}

const endpoints: Endpoint[] = [
  {
    path: '/notification_settings',
    of: 'your',
    params: Type.Object({}),
    body: GlobalBody,
    find: async () => ({ projectId: null, groupId: null })
  },
  {
    path: '/groups/:id/notification_settings',
    of: 'your settings for a group: the',
    params: ById,
    body: Body,
    find: async (em, viewer, id) => ({ projectId: null, groupId: (await findGroup(em, viewer, id)).id })
  },
  {
    path: '/projects/:id/notification_settings',
    of: 'your settings for a project: the',
    params: ById,
    body: Body,
    find: async (em, viewer, id) => ({ projectId: (await findProject(em, viewer, id)).id, groupId: null })
  }
]

/** What the caller is notified about. Clients send changes in the body or in the query. */
export const notificationSettingRoutes: FastifyPluginAsyncTypebox = async app => {
  for (const endpoint of endpoints) registerRoutes(app, endpoint)
}

function registerRoutes(app: FastifyInstance, { path, of, params, body, find }: Endpoint) {
  const role = params === ById ? ('guest' as const) : ('user' as const)
  const guard = { config: { role } }
  const scopeOf = (request: FastifyRequest) => find(request.em, request.user, (request.params as { id: string }).id)

  app.get(path, { ...guard, schema: { summary: `Get ${of} notification setting`, params, response: { 200: Shape } } }, async request =>
    presentSetting(await findSetting(request.em, request.user, await scopeOf(request)), request.user)
  )

  app.put(
    path,
    {
      ...guard,
      config: { ...guard.config, allowsReadOnly: true },
      schema: { summary: `Change ${of} notification setting`, params, querystring: Type.Partial(body), body, response: { 200: Shape } }
    },
    async request => {
      const {
        level,
        notification_email: notificationEmail,
        ...events
      } = { ...(request.query as object), ...(request.body as object) } as Static<typeof GlobalBody>

      if (level === undefined && notificationEmail === undefined && Object.keys(events).length === 0) {
        throw new MissingParameters('level', ...(body === GlobalBody ? ['notification_email'] : []), ...flags)
      }
      const changes = { level: readLevel(level), notificationEmail, events }
      const setting = await changeSetting(request.em, request.user, await scopeOf(request), changes)

      return presentSetting(setting, request.user)
    }
  )
}

function readLevel(level: string | undefined) {
  if (level !== undefined && !levels.includes(level as Level)) throw new InvalidLevel(level)

  return level as Level | undefined
}

class InvalidLevel extends Rejected {
  override code = 'invalid_level'
  override isSentence = true

  constructor(level: string) {
    super(`'${level}' is not a valid level`)
  }
}

function presentSetting(setting: NotificationSetting, user: Viewer) {
  const isGlobal = !setting.projectId && !setting.groupId
  // Epics belong to groups.
  const shown = flags.filter(flag => flag !== 'new_epic' || !setting.projectId)

  return {
    level: setting.level,
    ...(isGlobal && { notification_email: setting.notificationEmail ?? user.email }),
    ...(setting.level === 'custom' && { events: Object.fromEntries(shown.map(flag => [flag, hasFlag(setting, flag)])) })
  }
}
