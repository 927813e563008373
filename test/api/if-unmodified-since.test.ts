import { randomUUID } from 'node:crypto'
import t from 'tap'
import { openApp, rootToken } from '../support/world.ts'
import { nameless, routesOf } from './routes.ts'

type World = Awaited<ReturnType<typeof openWorld>>
/** Creates a resource; returns its address and the body of a request that changes it. */
type Subject = (world: World) => Promise<{ url: string; body?: object; token?: string }>

const settings = { active: true, integrated: true }

/** Every route that changes or deletes something. */
const table: Record<string, Subject> = {
  'PUT /api/v4/projects/:id': async ({ project }) => ({ url: `/projects/${await project()}`, body: { description: 'D' } }),
  'DELETE /api/v4/projects/:id': async ({ project }) => ({ url: `/projects/${await project()}` }),
  'PUT /api/v4/projects/:id/transfer': async ({ project, group }) => ({
    url: `/projects/${await project()}/transfer`,
    body: { namespace: String(await group()) }
  }),
  'PUT /api/v4/groups/:id': async ({ group }) => ({ url: `/groups/${await group()}`, body: { description: 'D' } }),
  'DELETE /api/v4/groups/:id': async ({ group }) => ({ url: `/groups/${await group()}` }),
  'PUT /api/v4/application/settings': async ({ call }) => {
    await call('PUT', '/application/settings', { default_branch_name: 'trunk' })

    return { url: '/application/settings', body: { default_branch_name: 'main' } }
  },
  'PUT /api/v4/users/:id': async ({ user }) => ({ url: `/users/${await user()}`, body: { bio: 'B' } }),
  'PUT /api/v4/user/avatar': async () => ({ url: '/user/avatar', body: { avatar: '' } }),
  'DELETE /api/v4/user/emails/:email_id': async ({ create }) => ({
    url: `/user/emails/${await create('/user/emails', { email: 'a@example.com' })}`
  }),
  'DELETE /api/v4/users/:user_id/emails/:email_id': async ({ create, user }) => {
    const path = `/users/${await user()}/emails`

    return { url: `${path}/${await create(path, { email: 'b@example.com' })}` }
  },
  'DELETE /api/v4/users/:id': async ({ user }) => ({ url: `/users/${await user()}` }),
  'PUT /api/v4/projects/:id/members/:user_id': async world => ({ ...(await member(world, 'projects')), body: { access_level: 20 } }),
  'DELETE /api/v4/projects/:id/members/:user_id': world => member(world, 'projects'),
  'PUT /api/v4/groups/:id/members/:user_id': async world => ({ ...(await member(world, 'groups')), body: { access_level: 20 } }),
  'DELETE /api/v4/groups/:id/members/:user_id': world => member(world, 'groups'),
  ...Object.fromEntries(
    (['projects', 'groups'] as const).flatMap(kind => [
      [
        `PUT /api/v4/${kind}/:id/access_requests/:user_id/approve`,
        async (world: World) => ({ url: `${await accessRequest(world, kind)}/approve`, body: { access_level: 20 } })
      ],
      [`DELETE /api/v4/${kind}/:id/access_requests/:user_id`, async (world: World) => ({ url: await accessRequest(world, kind) })],
      [
        `PUT /api/v4/${kind}/:id/invitations/:email`,
        async (world: World) => ({ url: await invitation(world, kind), body: { access_level: 20 } })
      ],
      [`DELETE /api/v4/${kind}/:id/invitations/:email`, async (world: World) => ({ url: await invitation(world, kind) })]
    ])
  ),
  'DELETE /api/v4/projects/:id/share/:group_id': world => share(world, 'projects'),
  'DELETE /api/v4/groups/:id/share/:group_id': world => share(world, 'groups'),
  ...Object.fromEntries(
    (['project', 'group'] as const).map(kind => [
      `DELETE /api/v4/${kind}s/:id/deploy_tokens/:token_id`,
      async ({ create, ...world }: World) => {
        const path = `/${kind}s/${await world[kind]()}/deploy_tokens`

        return { url: `${path}/${await create(path, { name: 'D', scopes: ['read_repository'] })}` }
      }
    ])
  ),
  'DELETE /api/v4/personal_access_tokens/:token_id': async world => ({ url: `/personal_access_tokens/${(await token(world)).id}` }),
  'DELETE /api/v4/personal_access_tokens/self': async world => ({
    url: '/personal_access_tokens/self',
    token: (await token(world)).token
  }),
  'DELETE /api/v4/users/:user_id/impersonation_tokens/:token_id': async ({ user, create }) => {
    const path = `/users/${await user()}/impersonation_tokens`

    return { url: `${path}/${await create(path, { name: 'T', scopes: ['api'] })}` }
  },
  'DELETE /api/v4/applications/:application_id': async ({ create }) => ({
    url: `/applications/${await create('/applications', { name: 'A', redirect_uri: '', scopes: 'api' })}`
  }),
  'DELETE /api/v4/projects/:id/access_tokens/:token_id': async ({ project, create }) => {
    const path = `/projects/${await project()}/access_tokens`

    return { url: `${path}/${await create(path, { name: 'T', scopes: ['api'] })}` }
  },
  'DELETE /api/v4/groups/:id/access_tokens/:token_id': async ({ group, create }) => {
    const path = `/groups/${await group()}/access_tokens`

    return { url: `${path}/${await create(path, { name: 'T', scopes: ['api'] })}` }
  },
  'PUT /api/v4/projects/:id/error_tracking/settings': async world => ({ url: await errorSettings(world), body: settings }),
  'PATCH /api/v4/projects/:id/error_tracking/settings': async world => ({ url: await errorSettings(world), body: { active: false } }),
  'PUT /api/v4/projects/:id/error_tracking/ownership': async ({ call, project }) => {
    const url = `/projects/${await project()}/error_tracking/ownership`

    await call('PUT', url, { auto_assign: false })

    return { url, body: { auto_assign: true } }
  },
  'PUT /api/v4/projects/:id/error_tracking/client_keys/:key_id': async world => {
    const { path, id } = await clientKey(world)

    return { url: `${path}/${id}`, body: { name: 'K' } }
  },
  'DELETE /api/v4/projects/:id/error_tracking/client_keys/:key_id': async world => {
    const { path, id } = await clientKey(world)

    return { url: `${path}/${id}` }
  },
  'DELETE /api/v4/projects/:id/error_tracking/client_keys': async world => {
    const { path, id } = await clientKey(world)

    return { url: path, body: { key_id: id } }
  },
  'PUT /api/v4/projects/:id/error_tracking/errors/:fingerprint': async world => ({
    ...(await error(world)),
    body: { status: 'resolved' }
  }),
  'PUT /api/v4/projects/:id/error_tracking/errors': async world => {
    const { url } = await error(world)
    const [, path, fingerprint] = /(.*)\/(\d+)$/.exec(url)!

    return { url: path!, body: { fingerprints: [Number(fingerprint)], status: 'resolved' } }
  },
  'DELETE /api/v4/projects/:id/error_tracking/errors/:fingerprint': error,
  'DELETE /api/v4/projects/:id/error_tracking/errors/:fingerprint/comments/:comment_id': async world => {
    const { url } = await error(world)

    return { url: `${url}/comments/${await world.create(`${url}/comments`, { body: 'B' })}` }
  },
  'PUT /api/v4/projects/:id/error_tracking/saved_searches/:saved_search_id': async world => ({
    ...(await savedSearch(world)),
    body: { name: 'T' }
  }),
  'DELETE /api/v4/projects/:id/error_tracking/saved_searches/:saved_search_id': world => savedSearch(world),
  'PUT /api/v4/projects/:id/alert_management_alerts/:alert_iid': async world => ({ ...(await alert(world)), body: { status: 'resolved' } }),
  'DELETE /api/v4/projects/:id/alert_management_alerts/:alert_iid/notes/:note_id': async world => {
    const { url } = await alert(world)

    return { url: `${url}/notes/${await world.create(`${url}/notes`, { body: 'B' })}` }
  },
  'PUT /api/v4/projects/:id/alert_management_alerts/:alert_iid/metric_images/:image_id': async world => ({
    ...(await image(world)),
    body: { url_text: 'U' }
  }),
  'DELETE /api/v4/projects/:id/alert_management_alerts/:alert_iid/metric_images/:image_id': world => image(world),
  'PUT /api/v4/projects/:id/alert_integrations/:integration_id': async world => ({ ...(await integration(world)), body: { name: 'A' } }),
  'PATCH /api/v4/projects/:id/alert_integrations/:integration_id': async world => ({ ...(await integration(world)), body: { name: 'A' } }),
  'DELETE /api/v4/projects/:id/alert_integrations/:integration_id': world => integration(world),
  'PUT /api/v4/projects/:id/alert_settings': async world => ({ url: await alertSettings(world), body: { send_email: true } }),
  'PATCH /api/v4/projects/:id/alert_settings': async world => ({ url: await alertSettings(world), body: { send_email: true } }),
  'PUT /api/v4/projects/:id/labels': async world => ({
    url: parentOf(await label(world, 'projects')),
    body: { name: 'bug', color: '#112233' }
  }),
  'DELETE /api/v4/projects/:id/labels': async world => ({ url: parentOf(await label(world, 'projects')), body: { name: 'bug' } }),
  'PUT /api/v4/projects/:id/labels/:label_id': async world => ({ url: await label(world, 'projects'), body: { color: '#112233' } }),
  'DELETE /api/v4/projects/:id/labels/:label_id': async world => ({ url: await label(world, 'projects') }),
  'PUT /api/v4/projects/:id/milestones/:milestone_id': async world => ({ url: await milestone(world, 'projects'), body: { title: 'U' } }),
  'DELETE /api/v4/projects/:id/milestones/:milestone_id': async world => ({ url: await milestone(world, 'projects') }),
  'PUT /api/v4/groups/:id/labels': async world => ({
    url: parentOf(await label(world, 'groups')),
    body: { name: 'bug', color: '#112233' }
  }),
  'DELETE /api/v4/groups/:id/labels': async world => ({ url: parentOf(await label(world, 'groups')), body: { name: 'bug' } }),
  'PUT /api/v4/groups/:id/labels/:label_id': async world => ({ url: await label(world, 'groups'), body: { color: '#112233' } }),
  'DELETE /api/v4/groups/:id/labels/:label_id': async world => ({ url: await label(world, 'groups') }),
  'PUT /api/v4/groups/:id/milestones/:milestone_id': async world => ({ url: await milestone(world, 'groups'), body: { title: 'U' } }),
  'DELETE /api/v4/groups/:id/milestones/:milestone_id': async world => ({ url: await milestone(world, 'groups') }),
  'PUT /api/v4/projects/:id/labels/:label_id/promote': async world => {
    const { id } = (await world.call('POST', '/projects', { name: 'P', namespace_id: await world.group() })).body

    return { url: `/projects/${id}/labels/${await world.create(`/projects/${id}/labels`, { name: 'bug', color: '#112233' })}/promote` }
  },
  'PUT /api/v4/projects/:id/issues/:issue_iid/discussions/:discussion_id/notes/:note_id': async world => ({
    ...(await discussionNote(world)),
    body: { body: 'C' }
  }),
  'DELETE /api/v4/projects/:id/issues/:issue_iid/discussions/:discussion_id/notes/:note_id': world => discussionNote(world),
  'DELETE /api/v4/projects/:id/issues/:issue_iid/links/:issue_link_id': async world => {
    const { url } = await issue(world)
    const [, project = '', target] = /projects\/(\d+)\/issues\/(\d+)/.exec((await issue(world)).url) ?? []

    return { url: `${url}/links/${await world.create(`${url}/links`, { target_project_id: project, target_issue_iid: target })}` }
  },
  'PUT /api/v4/projects/:id/feature_flags/:feature_flag_name': async world => ({ url: await featureFlag(world), body: { active: false } }),
  'DELETE /api/v4/projects/:id/feature_flags/:feature_flag_name': async world => ({ url: await featureFlag(world) }),
  'PUT /api/v4/projects/:id/environments/:environment_id': async world => ({ url: await environment(world), body: { tier: 'other' } }),
  'DELETE /api/v4/projects/:id/environments/:environment_id': async world => {
    const url = await environment(world)

    await world.call('POST', `${url}/stop`)

    return { url }
  },
  'PUT /api/v4/notification_settings': async ({ call }) => {
    await call('PUT', '/notification_settings', { level: 'watch' })

    return { url: '/notification_settings', body: { level: 'mention' } }
  },
  ...Object.fromEntries(
    (['group', 'project'] as const).map(kind => [
      `PUT /api/v4/${kind}s/:id/notification_settings`,
      async (world: World) => {
        const url = `/${kind}s/${await world[kind]()}/notification_settings`

        await world.call('PUT', url, { level: 'watch' })

        return { url, body: { level: 'mention' } }
      }
    ])
  ),
  ...Object.fromEntries(
    (
      [
        ['rules', { name: 'R', triggers: ['error.new'], channel_ids: [] }, { name: 'S' }],
        ['channels', { kind: 'email', name: 'C', settings: { assignees: true } }, { name: 'D' }],
        ['mutes', { reason: 'M', everything: true, ends_at: '2099-01-01', starts_at: '2098-12-01' }, { reason: 'N' }]
      ] as const
    ).flatMap(([name, values, body]) => {
      const subject = async ({ project, create }: World) => {
        const path = `/projects/${await project()}/notification_${name}`

        return { url: `${path}/${await create(path, values)}`, body }
      }

      return [
        [`PUT /api/v4/projects/:id/notification_${name}/:row_id`, subject],
        [`DELETE /api/v4/projects/:id/notification_${name}/:row_id`, subject]
      ]
    })
  ),
  'DELETE /api/v4/projects/:id/repository/branches/:branch': async world => {
    const url = await file(world)

    await world.call('POST', `${url}/branches`, { branch: 'topic', ref: 'main' })

    return { url: `${url}/branches/topic` }
  },
  'DELETE /api/v4/projects/:id/repository/tags/:tag': async world => {
    const url = await file(world)

    await world.call('POST', `${url}/tags`, { tag_name: 'v1', ref: 'main' })

    return { url: `${url}/tags/v1` }
  },
  ...Object.fromEntries(
    ['/snippets', '/projects/:id/snippets'].flatMap(path => {
      const subject = async ({ project, create }: World) => {
        const address = path.includes(':id') ? path.replace(':id', String(await project())) : path

        return {
          url: `${address}/${await create(address, { title: 'T', files: [{ file_path: 'a', content: 'a' }] })}`,
          body: { title: 'U' }
        }
      }

      return ['PUT', 'DELETE'].map(method => [`${method} /api/v4${path}/:snippet_id`, subject])
    })
  ),
  'DELETE /api/v4/projects/:id/pipelines/:pipeline_id': async world => {
    const path = (await file(world)).replace('/repository', '')

    await world.call('POST', `${path}/repository/files/.gitlab-ci.yml`, {
      branch: 'main',
      commit_message: 'M',
      content: 'a: {script: x}'
    })

    return { url: `${path}/pipelines/${(await world.call('POST', `${path}/pipeline`, { ref: 'main' })).body.id}` }
  },
  'PATCH /api/v4/projects/:id/job_token_scope': async ({ project }) => ({
    url: `/projects/${await project()}/job_token_scope`,
    body: { enabled: true }
  }),
  ...Object.fromEntries(
    (['project', 'group'] as const).map(kind => [
      `DELETE /api/v4/projects/:id/job_token_scope/${kind === 'group' ? 'groups_' : ''}allowlist/:target_${kind}_id`,
      async ({ call, ...world }: World) => {
        const path = `/projects/${await world.project()}/job_token_scope/${kind === 'group' ? 'groups_' : ''}allowlist`
        const id = await world[kind]()

        await call('POST', path, { [`target_${kind}_id`]: id })

        return { url: `${path}/${id}` }
      }
    ])
  ),
  'PUT /api/v4/runners/:id': async ({ create }) => ({
    url: `/runners/${await create('/user/runners', { runner_type: 'instance_type' })}`,
    body: { description: 'D' }
  }),
  'DELETE /api/v4/runners/:id': async ({ create }) => ({
    url: `/runners/${await create('/user/runners', { runner_type: 'instance_type' })}`
  }),
  'DELETE /api/v4/projects/:id/runners/:runner_id': async ({ call, create, project }) => {
    const id = await create('/user/runners', { runner_type: 'project_type', project_id: await project() })
    const path = `/projects/${await project()}/runners`

    await call('POST', path, { runner_id: id })

    return { url: `${path}/${id}` }
  },
  'PUT /api/v4/projects/:id/repository/files/:file_path': async world => ({
    url: `${await file(world)}/files/a.txt`,
    body: { branch: 'main', commit_message: 'M', content: 'b' }
  }),
  'DELETE /api/v4/projects/:id/repository/files/:file_path': async world => ({
    url: `${await file(world)}/files/a.txt`,
    body: { branch: 'main', commit_message: 'M' }
  }),
  'PUT /api/v4/projects/:id/issues/:issue_iid': async world => ({ ...(await issue(world)), body: { title: 'U' } }),
  'DELETE /api/v4/projects/:id/issues/:issue_iid': issue,
  ...Object.fromEntries(
    ['projects/:id/hooks', 'groups/:id/hooks', 'hooks', 'system_hooks'].flatMap(place => [
      [`PUT /api/v4/${place}/:hook_id`, async (world: World) => ({ url: await hook(world, place), body: { name: 'N' } })],
      [`DELETE /api/v4/${place}/:hook_id`, async (world: World) => ({ url: await hook(world, place) })],
      ...['custom_headers', 'url_variables'].flatMap(kind => [
        [
          `PUT /api/v4/${place}/:hook_id/${kind}/:key`,
          async (world: World) => ({ url: `${await hook(world, place)}/${kind}/K`, body: { value: 'changed' } })
        ],
        [`DELETE /api/v4/${place}/:hook_id/${kind}/:key`, async (world: World) => ({ url: `${await hook(world, place)}/${kind}/K` })]
      ])
    ])
  ),
  ...Object.fromEntries(
    ['projects/:id/variables', 'groups/:id/variables', 'admin/ci/variables'].flatMap(place => [
      [`PUT /api/v4/${place}/:key`, async (world: World) => ({ url: await variable(world, place), body: { value: 'changed' } })],
      [`DELETE /api/v4/${place}/:key`, async (world: World) => ({ url: await variable(world, place) })]
    ])
  ),
  'DELETE /api/v4/projects/:id/packages/:package_id': async world => ({ url: (await packageFile(world)).url }),
  'DELETE /api/v4/projects/:id/packages/:package_id/package_files/:package_file_id': async world => {
    const { url, fileId } = await packageFile(world)

    return { url: `${url}/package_files/${fileId}` }
  },
  'PUT /api/v4/projects/:id/issues/:issue_iid/notes/:note_id': async world => {
    const { url } = await issue(world)

    return { url: `${url}/notes/${await world.create(`${url}/notes`, { body: 'B' })}`, body: { body: 'C' } }
  },
  'DELETE /api/v4/projects/:id/issues/:issue_iid/notes/:note_id': async world => {
    const { url } = await issue(world)

    return { url: `${url}/notes/${await world.create(`${url}/notes`, { body: 'B' })}` }
  }
}

/** Merged branches, artifacts and images are deleted however old they are, runners only report, and a file is added to its package. */
const unconditional = new Set([
  'DELETE /api/v4/projects/:id/repository/merged_branches',
  'DELETE /api/v4/projects/:id/jobs/:job_id/artifacts',
  'DELETE /api/v4/projects/:id/artifacts',
  'PUT /api/v4/projects/:id/packages/generic/:package_name/:package_version/:file_name',
  'DELETE /api/v4/projects/:id/registry/repositories/:repository_id',
  'DELETE /api/v4/projects/:id/registry/repositories/:repository_id/tags',
  'DELETE /api/v4/projects/:id/registry/repositories/:repository_id/tags/:tag_name',
  'DELETE /api/v4/runners',
  'DELETE /api/v4/runners/managers',
  'PUT /api/v4/jobs/:id',
  'PATCH /api/v4/jobs/:id/trace'
])

t.test('a change after the date is refused, and one of several parallel requests with the same date succeeds', async t => {
  const world = await openWorld(t)

  for (const [route, subject] of Object.entries(table)) {
    const { url, body, token = rootToken } = await subject(world)
    const method = route.split(' ')[0] as 'PUT' | 'PATCH' | 'DELETE'
    const send = async (since: Date) => {
      const headers = { 'private-token': token, 'if-unmodified-since': since.toUTCString() }

      return (await world.app.inject({ method, url: `/api/v4${url}`, payload: body, headers })).statusCode
    }

    t.equal(await send(new Date(Date.now() - 3600_000)), 412, route)
    const now = new Date()
    const statuses = await Promise.all([send(now), send(now), send(now)])
    const refused = statuses.filter(status => status >= 300)

    t.equal(refused.length, 2, `${route}: ${statuses}`)
    t.ok(
      refused.every(status => [401, 404, 412].includes(status)),
      `${route}: ${statuses}`
    )
  }
})

t.test('the table lists every route that changes or deletes something', async t => {
  const { app } = await openApp(t)
  const listed = new Set(Object.keys(table).map(nameless))

  for (const route of routesOf(app).filter(route => /^(PUT|PATCH|DELETE) /.test(route) && !unconditional.has(route)))
    t.ok(listed.has(nameless(route)), route)
})

t.test('the first write of settings creates them, for one of several parallel requests', async t => {
  const { app, project } = await openWorld(t)
  const id = await project()

  for (const [path, payload] of [
    ['alert_settings', { send_email: true }],
    ['error_tracking/settings', settings],
    ['error_tracking/ownership', { auto_assign: false }]
  ] as const) {
    const headers = { 'private-token': rootToken, 'if-unmodified-since': new Date().toUTCString() }
    const send = async () => (await app.inject({ method: 'PUT', url: `/api/v4/projects/${id}/${path}`, payload, headers })).statusCode

    t.same((await Promise.all([send(), send(), send()])).sort(), [200, 412, 412], path)
  }
})

t.test('a release that was used after the date is not finished', async t => {
  const { app, call, project } = await openWorld(t)
  const { body } = await call('GET', `/projects/${await project()}`)
  const url = `/api/0/projects/root/${body.path}/releases/1.0`
  const send = async (since?: Date) => {
    const headers = { authorization: `Bearer ${rootToken}`, ...(since && { 'if-unmodified-since': since.toUTCString() }) }

    return (await app.inject({ method: 'PUT', url, payload: {}, headers })).statusCode
  }

  t.equal(await send(), 200)
  t.equal(await send(new Date(0)), 412)
  t.equal(await send(new Date()), 200)
})

t.test('a write never moves the date of the last change back', async t => {
  const { app, call, project } = await openWorld(t)
  const id = await project()
  const since = new Date(Date.now() + 50_000).toUTCString()
  const headers = { 'private-token': rootToken, 'if-unmodified-since': since }

  await app.inject({ method: 'PUT', url: `/api/v4/projects/${id}`, payload: { description: 'D' }, headers })
  const { body: ahead } = await call('GET', `/projects/${id}`)
  const { body: after } = await call('PUT', `/projects/${id}`, { description: 'E' })

  t.ok(Date.parse(ahead.updated_at) > Date.parse(since), 'it is after the date of the condition')
  t.ok(after.updated_at >= ahead.updated_at)
})

async function openWorld(t: Parameters<typeof openApp>[0]) {
  const { app, call, platform } = await openApp(t)
  const create = async (path: string, body: object) => {
    const { status, body: created } = await call('POST', path, body)

    if (status >= 300) throw new Error(`POST ${path}: ${status} ${JSON.stringify(created)}`)

    return (created.iid ?? created.id) as number
  }
  const insert = async (sql: string, ...values: unknown[]) =>
    (await platform.pool.query(`INSERT INTO ${sql} RETURNING *`, values)).rows[0] as { id: number; iid: number }

  let count = 0
  const name = () => `n${++count}`

  return {
    app,
    call,
    create,
    insert,
    project: () => create('/projects', { name: name() }),
    group: () => create('/groups', { name: 'G', path: name() }),
    user: () => create('/users', { name: 'Ann', username: name(), email: `${name()}@example.com`, force_random_password: true })
  }
}

async function member({ call, create, user, ...world }: World, kind: 'projects' | 'groups') {
  const id = await (kind === 'projects' ? world.project() : world.group())
  const userId = await user()

  await call('POST', `/${kind}/${id}/members`, { user_id: userId, access_level: 30 })

  return { url: `/${kind}/${id}/members/${userId}` }
}

/** Commits a file. */
async function file({ call, project }: World) {
  const url = `/projects/${await project()}/repository`

  await call('POST', `${url}/files/a.txt`, { branch: 'main', commit_message: 'M', content: 'a' })

  return url
}

async function discussionNote(world: World) {
  const { url } = await issue(world)
  const { id, notes } = (await world.call('POST', `${url}/discussions`, { body: 'B' })).body

  return { url: `${url}/discussions/${id}/notes/${notes[0].id}` }
}

async function label({ create, ...world }: World, kind: 'projects' | 'groups') {
  const path = `/${kind}/${await (kind === 'projects' ? world.project() : world.group())}/labels`

  await create(path, { name: 'bug', color: '#aabbcc' })

  return `${path}/bug`
}

async function savedSearch({ create, project }: World) {
  const path = `/projects/${await project()}/error_tracking/saved_searches`

  return { url: `${path}/${await create(path, { name: 'S', query: 'is:unresolved' })}` }
}

async function featureFlag({ project, call }: World) {
  const path = `/projects/${await project()}/feature_flags`

  await call('POST', path, { name: 'fast' })

  return `${path}/fast`
}

async function environment({ project, create }: World) {
  const path = `/projects/${await project()}/environments`

  return `${path}/${await create(path, { name: 'live' })}`
}

async function milestone({ call, ...world }: World, kind: 'projects' | 'groups') {
  const path = `/${kind}/${await (kind === 'projects' ? world.project() : world.group())}/milestones`

  return `${path}/${(await call('POST', path, { title: 'T' })).body.id}`
}

function parentOf(url: string) {
  return url.slice(0, url.lastIndexOf('/'))
}

async function share({ call, ...world }: World, kind: 'projects' | 'groups') {
  const id = await (kind === 'projects' ? world.project() : world.group())
  const withId = await world.group()

  await call('POST', `/${kind}/${id}/share`, { group_id: withId, group_access: 30 })

  return { url: `/${kind}/${id}/share/${withId}` }
}

async function accessRequest({ insert, user, ...world }: World, kind: 'projects' | 'groups') {
  const [id, userId] = [await (kind === 'projects' ? world.project() : world.group()), await user()]

  await insert(`access_requests (${kind.slice(0, -1)}_id, user_id) VALUES ($1, $2)`, id, userId)

  return `/${kind}/${id}/access_requests/${userId}`
}

async function invitation({ call, ...world }: World, kind: 'projects' | 'groups') {
  const path = `/${kind}/${await (kind === 'projects' ? world.project() : world.group())}/invitations`

  await call('POST', path, { email: 'eve@a.example', access_level: 10 })

  return `${path}/eve@a.example`
}

async function token({ call }: World) {
  return (await call('POST', '/user/personal_access_tokens', { name: 'T', scopes: ['api'] })).body as { id: number; token: string }
}

async function errorSettings({ call, project }: World) {
  const url = `/projects/${await project()}/error_tracking/settings`

  await call('PUT', url, settings)

  return url
}

async function alertSettings({ call, project }: World) {
  const url = `/projects/${await project()}/alert_settings`

  await call('PUT', url, { create_incidents: true })

  return url
}

async function clientKey({ project, create }: World) {
  const path = `/projects/${await project()}/error_tracking/client_keys`

  return { path, id: await create(path, {}) }
}

async function error({ project, insert }: World) {
  const id = await project()
  const group = await insert(
    `error_groups (project_id, name, description, actor, level, first_seen_at, last_seen_at) VALUES ($1, 'E', '', '', 'error', now(), now())`,
    id
  )

  return { url: `/projects/${id}/error_tracking/errors/${group.id}` }
}

async function alert({ project, insert }: World) {
  const id = await project()
  const alert = await insert(
    `alerts (project_id, iid, kind, severity, title, payload, started_at, created_at, updated_at)
     VALUES ($1, 1, 'generic', 'high', 'A', '{}', now(), now(), now())`,
    id
  )

  return { url: `/projects/${id}/alert_management_alerts/1`, id: alert.id }
}

async function image(world: World) {
  const { url, id } = await alert(world)
  const image = await world.insert(
    `alert_metric_images (alert_id, filename, content_type, size, stored_as) VALUES ($1, 'f.png', 'image/png', 1, 'no/file')`,
    id
  )

  return { url: `${url}/metric_images/${image.id}` }
}

async function integration({ project, create }: World) {
  const path = `/projects/${await project()}/alert_integrations`

  return { url: `${path}/${await create(path, { name: 'I' })}` }
}

async function issue({ project, create }: World) {
  const path = `/projects/${await project()}/issues`

  return { url: `${path}/${await create(path, { title: 'T' })}` }
}

async function packageFile({ call, project }: World) {
  const path = `/projects/${await project()}/packages`
  const { body } = await call('PUT', `${path}/generic/tool/1/tool.txt?select=package_file`, { a: 'file' })

  return { url: `${path}/${body.package_id}`, fileId: body.id }
}

async function variable({ call, group, project }: World, place: string) {
  const path = `/${place.replace(':id', String(await (place.startsWith('groups') ? group() : project())))}`

  const key = `K${randomUUID().replaceAll('-', '')}`

  await call('POST', path, { key, value: 'V' })

  return `${path}/${key}`
}

async function hook({ create, group, project }: World, place: string) {
  const path = `/${place.replace(':id', String(await (place.startsWith('groups') ? group() : project())))}`
  const values = [{ key: 'K', value: 'V' }]

  return `${path}/${await create(path, { url: 'https://example.com/hook', custom_headers: values, url_variables: values })}`
}
