import type { Test } from 'tap'
import { nameless } from './routes.ts'
import { openTown, type Person, people, type Town } from './town.ts'

type Expectation = Partial<Record<Person, number>>

/** What each gets who is not named in a row: a caller without a valid credential 401, one with too little scope 403. */
const usual: Expectation = {
  anonymous: 401,
  expired: 401,
  revoked: 401,
  'made-up': 401,
  job: 401,
  deploy: 401,
  blocked: 403,
  wrongScope: 403
}
/** People whom a row need not name get the status of another. */
const likewise: Partial<Record<Person, Person>> = {
  reporter: 'guest',
  owner: 'maintainer',
  sudo: 'guest',
  impersonation: 'maintainer',
  oauth: 'maintainer'
}
const forUsers = (ok: number): Expectation => ({
  ...usual,
  stranger: ok,
  guest: ok,
  developer: ok,
  maintainer: ok,
  admin: ok,
  readOnly: ok
})
const forMembers = (ok: number, of: number): Expectation => ({
  ...usual,
  stranger: 404,
  guest: of <= 10 ? ok : 403,
  reporter: of <= 20 ? ok : 403,
  developer: of <= 30 ? ok : 403,
  maintainer: of <= 40 ? ok : 403,
  owner: ok,
  admin: ok,
  readOnly: ok
})
/** Routes that are open to all, or to all who can see the resource. */
const forAnyone = (ok: number): Expectation => ({ ...forMembers(ok, 10), anonymous: ok, stranger: ok })
const forSeers = (ok: number): Expectation => ({ ...forMembers(ok, 10), anonymous: 404 })
/** Guests of a private project do not see its code. */
const forCode = (ok: number): Expectation => ({ ...forMembers(ok, 20), anonymous: 404 })
const forRunners = (status: number): Expectation => Object.fromEntries(people.map(person => [person, status]))
const forAdmins = (ok: number): Expectation => ({ ...forUsers(403), admin: ok })
const writing = (expected: Expectation): Expectation => ({ ...expected, readOnly: 403 })
const readingUsers = (expected: Expectation): Expectation => ({ ...expected, wrongScope: expected.developer })
const ofToken = (expected: Expectation): Expectation => ({
  ...expected,
  oauth: 400,
  wrongScope: expected.developer,
  readOnly: expected.developer
})

/**
 * Every route of the API, a request that would succeed or fail for a reason that only those learn who may make it,
 * and who may (`isLast` where it costs them their token). `:id` is the project, the group or a user, after whatever the path begins with; other ids do not exist.
 */
export const table: Record<string, { body?: object; status: Expectation; isLast?: true }> = {
  'GET /api/v4/user': { status: readingUsers(forUsers(200)) },
  'GET /api/v4/version': { status: readingUsers(forUsers(200)) },
  'POST /api/v4/mcp': { body: {}, status: { ...forUsers(400), blocked: 401 } },
  'GET /api/v4/metadata': { status: readingUsers(forUsers(200)) },
  'GET /api/v4/openapi.json': { status: { ...forUsers(200), anonymous: 200 } },
  'GET /api/v4/users': { status: { ...readingUsers(forUsers(200)), anonymous: 200 } },
  'GET /api/v4/users/:id': { status: { ...readingUsers(forUsers(200)), anonymous: 200 } },
  'POST /api/v4/users': { body: {}, status: forAdmins(400) },
  'PUT /api/v4/users/:id': { body: { email: 'none' }, status: forAdmins(400) },
  'DELETE /api/v4/users/:id': { body: { hard_delete: 'perhaps' }, status: forAdmins(400) },
  'PUT /api/v4/user/avatar': { body: {}, status: writing(forUsers(400)) },
  'POST /api/v4/users/:id/block': { status: forAdmins(201) },
  'POST /api/v4/users/:id/unblock': { status: forAdmins(201) },
  'POST /api/v4/users/:id/ban': { status: forAdmins(201) },
  'POST /api/v4/users/:id/unban': { status: forAdmins(201) },
  'POST /api/v4/users/:id/deactivate': { status: forAdmins(201) },
  'POST /api/v4/users/:id/activate': { status: forAdmins(201) },
  'GET /api/v4/users/:id/memberships': { status: forAdmins(200) },
  'GET /api/v4/users/:user_id/starred_projects': { status: { ...forUsers(200), anonymous: 200 } },
  'GET /api/v4/users/:user_id/contributed_projects': { status: { ...forUsers(200), anonymous: 200 } },
  ...Object.fromEntries(
    (
      [
        ['projects', 40],
        ['groups', 50]
      ] as const
    ).flatMap(([kind, role]) => [
      [`GET /api/v4/${kind}/:id/access_requests`, { status: forMembers(200, role) }],
      [`POST /api/v4/${kind}/:id/access_requests`, { status: writing({ ...forUsers(403), stranger: 404 }) }],
      [`PUT /api/v4/${kind}/:id/access_requests/:user_id/approve`, { body: { access_level: 10 }, status: writing(forMembers(404, role)) }],
      [`DELETE /api/v4/${kind}/:id/access_requests/:user_id`, { status: writing(forMembers(404, role)) }],
      [`GET /api/v4/${kind}/:id/invitations`, { status: forMembers(200, role) }],
      [`POST /api/v4/${kind}/:id/invitations`, { body: { email: 'nonsense', access_level: 10 }, status: writing(forMembers(201, role)) }],
      [`PUT /api/v4/${kind}/:id/invitations/:email`, { body: { access_level: 10 }, status: writing(forMembers(404, role)) }],
      [`DELETE /api/v4/${kind}/:id/invitations/:email`, { status: writing(forMembers(404, role)) }]
    ])
  ),
  'GET /api/v4/projects/:id/transfer_locations': { status: forMembers(200, 50) },
  'GET /api/v4/groups/:id/transfer_locations': { status: forMembers(200, 50) },
  'GET /api/v4/application/settings': { status: forAdmins(200) },
  'PUT /api/v4/application/settings': { body: {}, status: forAdmins(400) },
  'GET /api/v4/search': { status: forUsers(400) },
  ...Object.fromEntries(
    ['search', '-/search'].flatMap(path => [
      [`GET /api/v4/groups/:id/${path}`, { status: forUsers(400) }],
      [`GET /api/v4/projects/:id/${path}`, { status: forUsers(400) }]
    ])
  ),
  'GET /api/v4/namespaces': { status: forUsers(200) },
  'GET /api/v4/namespaces/:id': { status: forUsers(404) },
  'GET /api/v4/namespaces/:id/exists': { status: forUsers(200) },
  'GET /api/v4/projects/:id/users': { status: forSeers(200) },
  'GET /api/v4/user/emails': { status: readingUsers(forUsers(200)) },
  'GET /api/v4/user/emails/:email_id': { status: readingUsers(forUsers(404)) },
  'POST /api/v4/user/emails': { body: {}, status: writing(forUsers(400)) },
  'DELETE /api/v4/user/emails/:email_id': { status: writing(forUsers(404)) },
  'GET /api/v4/users/:user_id/emails': { status: forAdmins(200) },
  'GET /api/v4/users/:user_id/emails/:email_id': { status: forAdmins(404) },
  'POST /api/v4/users/:user_id/emails': { body: {}, status: forAdmins(400) },
  'DELETE /api/v4/users/:user_id/emails/:email_id': { status: forAdmins(404) },
  'GET /api/v4/personal_access_tokens': { status: forUsers(200) },
  'GET /api/v4/personal_access_tokens/:token_id': { status: forUsers(404) },
  'DELETE /api/v4/personal_access_tokens/:token_id': { status: writing(forUsers(404)) },
  'POST /api/v4/personal_access_tokens/:token_id/rotate': { status: writing(forUsers(404)) },
  'GET /api/v4/personal_access_tokens/self': { status: ofToken(forUsers(200)) },
  'DELETE /api/v4/personal_access_tokens/self': { status: ofToken(forUsers(204)), isLast: true },
  'POST /api/v4/personal_access_tokens/self/rotate': { body: { expires_at: '1' }, status: writing(forUsers(400)) },
  'POST /api/v4/user/personal_access_tokens': { body: {}, status: writing(forUsers(400)) },
  'POST /api/v4/users/:user_id/personal_access_tokens': { body: {}, status: forAdmins(400) },
  'GET /api/v4/users/:user_id/impersonation_tokens': { status: forAdmins(200) },
  'POST /api/v4/users/:user_id/impersonation_tokens': { body: {}, status: forAdmins(400) },
  'GET /api/v4/users/:user_id/impersonation_tokens/:token_id': { status: forAdmins(404) },
  'DELETE /api/v4/users/:user_id/impersonation_tokens/:token_id': { status: forAdmins(404) },
  'GET /api/v4/projects/:id/access_tokens': { status: forMembers(200, 40) },
  'POST /api/v4/projects/:id/access_tokens': { body: { name: 'T', scopes: [] }, status: writing(forMembers(400, 40)) },
  'GET /api/v4/projects/:id/access_tokens/:token_id': { status: forMembers(404, 40) },
  'DELETE /api/v4/projects/:id/access_tokens/:token_id': { status: writing(forMembers(404, 40)) },
  'POST /api/v4/projects/:id/access_tokens/:token_id/rotate': { status: writing(forMembers(404, 40)) },
  'GET /api/v4/groups/:id/access_tokens': { status: forMembers(200, 50) },
  'POST /api/v4/groups/:id/access_tokens': { body: { name: 'T', scopes: [] }, status: writing(forMembers(400, 50)) },
  'GET /api/v4/groups/:id/access_tokens/:token_id': { status: forMembers(404, 50) },
  'DELETE /api/v4/groups/:id/access_tokens/:token_id': { status: writing(forMembers(404, 50)) },
  'POST /api/v4/groups/:id/access_tokens/:token_id/rotate': { status: writing(forMembers(404, 50)) },
  'POST /api/v4/projects': { body: {}, status: writing(forUsers(400)) },
  'POST /api/v4/projects/user/:user_id': { body: { name: 'P' }, status: writing(forAdmins(404)) },
  'GET /api/v4/projects': { status: forAnyone(200) },
  'GET /api/v4/users/:user_id/projects': { status: forAnyone(404) },
  'GET /api/v4/projects/:id': { status: forSeers(200) },
  'PUT /api/v4/projects/:id': { body: { description: 'D' }, status: writing(forMembers(200, 40)) },
  'DELETE /api/v4/projects/:id': { body: { permanently_remove: true }, status: writing(forMembers(400, 50)) },
  'POST /api/v4/projects/:id/restore': { status: writing(forMembers(400, 50)) },
  'PUT /api/v4/projects/:id/transfer': { body: { namespace: '0' }, status: writing(forMembers(404, 50)) },
  'POST /api/v4/projects/:id/archive': { status: writing(forMembers(201, 50)) },
  'POST /api/v4/projects/:id/unarchive': { status: writing(forMembers(201, 50)) },
  'GET /api/v4/projects/:id/groups': { status: forMembers(200, 10) },
  'GET /api/v4/projects/:id/invited_groups': { status: forMembers(200, 10) },
  'GET /api/v4/projects/:id/avatar': { status: forSeers(404) },
  'GET /api/v4/groups/:id/avatar': { status: forSeers(404) },
  'POST /api/v4/projects/:id/share': { body: { group_id: 0, group_access: 10 }, status: writing(forMembers(404, 40)) },
  'DELETE /api/v4/projects/:id/share/:group_id': { status: writing(forMembers(404, 40)) },
  'POST /api/v4/groups/:id/share': { body: { group_id: 0, group_access: 10 }, status: writing(forMembers(404, 50)) },
  'DELETE /api/v4/groups/:id/share/:group_id': { status: writing(forMembers(404, 50)) },
  'POST /api/v4/groups/:id/transfer': { status: writing(forMembers(400, 50)) },
  'GET /api/v4/projects/:id/members': { status: forSeers(200) },
  'GET /api/v4/projects/:id/members/all': { status: forSeers(200) },
  'GET /api/v4/projects/:id/members/:user_id': { status: forSeers(404) },
  'GET /api/v4/projects/:id/members/all/:user_id': { status: forSeers(404) },
  'POST /api/v4/projects/:id/members': { body: { user_id: 0, access_level: 10 }, status: writing(forMembers(404, 40)) },
  'PUT /api/v4/projects/:id/members/:user_id': { status: writing(forMembers(404, 40)) },
  'DELETE /api/v4/projects/:id/members/:user_id': { status: writing(forMembers(404, 40)) },
  'GET /api/v4/deploy_tokens': { status: forAdmins(200) },
  ...Object.fromEntries(
    Object.entries({ projects: 40, groups: 50 }).flatMap(([path, of]) => [
      [`GET /api/v4/${path}/:id/deploy_tokens`, { status: forMembers(200, of) }],
      [
        `POST /api/v4/${path}/:id/deploy_tokens`,
        { body: { name: 'D', scopes: 'read_repository', expires_at: '2020-01-01' }, status: writing(forMembers(400, of)) }
      ],
      [`GET /api/v4/${path}/:id/deploy_tokens/:token_id`, { status: forMembers(404, of) }],
      [`DELETE /api/v4/${path}/:id/deploy_tokens/:token_id`, { status: writing(forMembers(404, of)) }]
    ])
  ),
  ...Object.fromEntries(
    Object.entries({
      '/projects/:id/hooks': forMembers,
      '/groups/:id/hooks': forMembers,
      '/hooks': forAdmins,
      '/system_hooks': forAdmins
    }).flatMap(([path, allow]) => {
      const of = path.startsWith('/groups') ? 50 : 40
      const one = `${path}/:hook_id`
      const routes: [string, number, object?][] = [
        [`GET /api/v4${path}`, 200],
        [`POST /api/v4${path}`, 422, { url: 'ftp://a.example' }],
        [`GET /api/v4${one}`, 404],
        [`PUT /api/v4${one}`, 404, { name: 'N' }],
        [`DELETE /api/v4${one}`, 404],
        [`GET /api/v4${one}/events`, 404],
        [`POST /api/v4${one}/events/:hook_log_id/resend`, 404],
        [`POST /api/v4${one}/test/:trigger`, 404],
        ...['url_variables', 'custom_headers'].flatMap((name): [string, number, object?][] => [
          [`PUT /api/v4${one}/${name}/:key`, 404, { value: 'v' }],
          [`DELETE /api/v4${one}/${name}/:key`, 404]
        ]),
        ...(path.includes(':id') ? [] : [[`POST /api/v4${one}`, 404] as [string, number]])
      ]

      return routes.map(([route, ok, body]) => {
        const status = allow(ok, of)

        return [route, { body, status: route.startsWith('GET') || !path.includes(':id') ? status : writing(status) }]
      })
    })
  ),
  ...Object.fromEntries(
    Object.entries({ '/projects/:id/variables': 40, '/groups/:id/variables': 50, '/admin/ci/variables': undefined }).flatMap(
      ([path, of]) => {
        const allow = (status: number) => (of === undefined ? forAdmins(status) : forMembers(status, of))
        const change = (status: number) => (of === undefined ? allow(status) : writing(allow(status)))

        return [
          [`GET /api/v4${path}`, { status: allow(200) }],
          [`POST /api/v4${path}`, { body: { key: 'K', value: 'short', masked: true }, status: change(400) }],
          [`GET /api/v4${path}/:key`, { status: allow(404) }],
          [`PUT /api/v4${path}/:key`, { body: { value: 'v' }, status: change(404) }],
          [`DELETE /api/v4${path}/:key`, { status: change(404) }]
        ]
      }
    )
  ),
  'GET /api/v4/projects/:id/audit_events': { status: forMembers(200, 40) },
  'GET /api/v4/projects/:id/audit_events/:audit_event_id': { status: forMembers(404, 40) },
  'GET /api/v4/groups': { status: forAnyone(200) },
  'POST /api/v4/groups': {
    body: { name: 'G', path: 'a/b' },
    status: writing(forUsers(400))
  },
  'GET /api/v4/groups/:id': { status: forSeers(200) },
  'PUT /api/v4/groups/:id': { body: { description: 'D' }, status: writing(forMembers(200, 50)) },
  'POST /api/v4/groups/:id/restore': { status: writing(forMembers(400, 50)) },
  'DELETE /api/v4/groups/:id': { body: { permanently_remove: true }, status: writing(forMembers(400, 50)) },
  'GET /api/v4/groups/:id/subgroups': { status: forSeers(200) },
  'GET /api/v4/groups/:id/descendant_groups': { status: forSeers(200) },
  'GET /api/v4/groups/:id/projects': { status: forSeers(200) },
  'GET /api/v4/groups/:id/projects/shared': { status: forSeers(200) },
  'GET /api/v4/groups/:id/members': { status: forSeers(200) },
  'GET /api/v4/groups/:id/members/all': { status: forSeers(200) },
  'GET /api/v4/groups/:id/members/:user_id': { status: forSeers(404) },
  'GET /api/v4/groups/:id/members/all/:user_id': { status: forSeers(404) },
  'POST /api/v4/groups/:id/members': { body: { user_id: 0, access_level: 10 }, status: writing(forMembers(404, 50)) },
  'PUT /api/v4/groups/:id/members/:user_id': { status: writing(forMembers(404, 50)) },
  'DELETE /api/v4/groups/:id/members/:user_id': { status: writing(forMembers(404, 50)) },
  'GET /api/v4/groups/:id/audit_events': { status: forMembers(200, 50) },
  'GET /api/v4/groups/:id/audit_events/:audit_event_id': { status: forMembers(404, 50) },
  'GET /api/v4/audit_events': { status: forAdmins(200) },
  'GET /api/v4/audit_events/:audit_event_id': { status: forAdmins(404) },
  'GET /api/v4/projects/:id/error_tracking/settings': { status: forMembers(200, 40) },
  'PUT /api/v4/projects/:id/error_tracking/settings': { body: { active: true, integrated: true }, status: writing(forMembers(200, 40)) },
  'PATCH /api/v4/projects/:id/error_tracking/settings': { body: { active: true }, status: writing(forMembers(200, 40)) },
  'GET /api/v4/projects/:id/error_tracking/client_keys': { status: forMembers(200, 40) },
  'POST /api/v4/projects/:id/error_tracking/client_keys': { status: writing(forMembers(201, 40)) },
  'PUT /api/v4/projects/:id/error_tracking/client_keys/:key_id': { body: { name: 'K' }, status: writing(forMembers(404, 40)) },
  'GET /api/v4/projects/:id/error_tracking/stats': { status: forMembers(200, 20) },
  'DELETE /api/v4/projects/:id/error_tracking/client_keys/:key_id': { status: writing(forMembers(404, 40)) },
  'DELETE /api/v4/projects/:id/error_tracking/client_keys': { body: { key_id: 0 }, status: writing(forMembers(404, 40)) },
  'GET /api/v4/projects/:id/error_tracking/saved_searches': { status: forMembers(200, 30) },
  'POST /api/v4/projects/:id/error_tracking/saved_searches': { body: { name: ' ', query: '' }, status: writing(forMembers(400, 30)) },
  'GET /api/v4/projects/:id/error_tracking/saved_searches/:saved_search_id': { status: forMembers(404, 30) },
  'PUT /api/v4/projects/:id/error_tracking/saved_searches/:saved_search_id': { body: { name: 'S' }, status: writing(forMembers(404, 30)) },
  'DELETE /api/v4/projects/:id/error_tracking/saved_searches/:saved_search_id': { status: writing(forMembers(404, 30)) },
  'GET /api/v4/projects/:id/error_tracking/releases': { status: forMembers(200, 30) },
  'GET /api/v4/projects/:id/error_tracking/releases/:version': { status: forMembers(404, 30) },
  'GET /api/v4/projects/:id/error_tracking/feedback': { status: forMembers(200, 30) },
  'GET /api/v4/projects/:id/error_tracking/errors': { status: forMembers(200, 30) },
  'PUT /api/v4/projects/:id/error_tracking/errors': {
    body: { fingerprints: [0], status: 'resolved' },
    status: writing(forMembers(400, 30))
  },
  'GET /api/v4/projects/:id/error_tracking/messages': { status: forMembers(200, 30) },
  'DELETE /api/v4/projects/:id/error_tracking/errors/:fingerprint': { status: writing(forMembers(404, 40)) },
  'GET /api/v4/projects/:id/error_tracking/errors/:fingerprint': { status: forMembers(404, 30) },
  'PUT /api/v4/projects/:id/error_tracking/errors/:fingerprint': { body: { status: 'resolved' }, status: writing(forMembers(404, 30)) },
  'GET /api/v4/projects/:id/error_tracking/errors/:fingerprint/tags': { status: forMembers(404, 30) },
  'GET /api/v4/projects/:id/error_tracking/errors/:fingerprint/stack_trace': { status: forMembers(404, 30) },
  'GET /api/v4/projects/:id/error_tracking/errors/:fingerprint/events': { status: forMembers(404, 30) },
  'GET /api/v4/projects/:id/error_tracking/errors/:fingerprint/events/:event_id': { status: forMembers(404, 30) },
  'GET /api/v4/projects/:id/error_tracking/errors/:fingerprint/feedback': { status: forMembers(404, 30) },
  'GET /api/v4/projects/:id/error_tracking/errors/:fingerprint/events/:event_id/attachments': { status: forMembers(404, 30) },
  'GET /api/v4/projects/:id/error_tracking/errors/:fingerprint/events/:event_id/attachments/:attachment_id': {
    status: forMembers(404, 30)
  },
  'DELETE /api/v4/projects/:id/error_tracking/errors/:fingerprint/comments/:comment_id': { status: writing(forMembers(404, 30)) },
  'GET /api/v4/projects/:id/error_tracking/errors/:fingerprint/comments': { status: forMembers(404, 30) },
  'POST /api/v4/projects/:id/error_tracking/errors/:fingerprint/comments': { body: { body: 'B' }, status: writing(forMembers(404, 30)) },
  'GET /api/v4/projects/:id/alert_management_alerts': { status: forMembers(200, 30) },
  'GET /api/v4/projects/:id/alert_management_alerts/status_counts': { status: forMembers(200, 30) },
  'GET /api/v4/projects/:id/alert_management_alerts/:alert_iid': { status: forMembers(404, 30) },
  'PUT /api/v4/projects/:id/alert_management_alerts/:alert_iid': { body: { status: 'resolved' }, status: writing(forMembers(404, 30)) },
  'POST /api/v4/projects/:id/alert_management_alerts/:alert_iid/incident': { status: writing(forMembers(404, 30)) },
  'GET /api/v4/projects/:id/alert_management_alerts/:alert_iid/notes': { status: forMembers(404, 30) },
  'POST /api/v4/projects/:id/alert_management_alerts/:alert_iid/notes': { body: { body: 'B' }, status: writing(forMembers(404, 30)) },
  'DELETE /api/v4/projects/:id/alert_management_alerts/:alert_iid/notes/:note_id': { status: writing(forMembers(404, 30)) },
  'GET /api/v4/projects/:id/alert_management_alerts/:alert_iid/metric_images': { status: forMembers(404, 30) },
  'POST /api/v4/projects/:id/alert_management_alerts/:alert_iid/metric_images': { body: {}, status: writing(forMembers(404, 30)) },
  'PUT /api/v4/projects/:id/alert_management_alerts/:alert_iid/metric_images/:image_id': {
    body: { url_text: 'U' },
    status: writing(forMembers(404, 30))
  },
  'DELETE /api/v4/projects/:id/alert_management_alerts/:alert_iid/metric_images/:image_id': { status: writing(forMembers(404, 30)) },
  'GET /api/v4/projects/:id/alert_management_alerts/:alert_iid/metric_images/:image_id/file': { status: forMembers(404, 30) },
  'GET /api/v4/issues': { status: forUsers(200) },
  'GET /api/v4/issues/:issue_id': { status: forAdmins(404) },
  'GET /api/v4/groups/:id/issues': { status: forMembers(200, 10) },
  ...Object.fromEntries(
    ['subscribe', 'unsubscribe', 'reset_time_estimate', 'reset_spent_time'].map(verb => [
      `POST /api/v4/projects/:id/issues/:issue_iid/${verb}`,
      { status: writing(forMembers(404, 20)) }
    ])
  ),
  'GET /api/v4/projects/:id/issues/:issue_iid/time_stats': { status: forMembers(404, 20) },
  'POST /api/v4/projects/:id/issues/:issue_iid/time_estimate': { body: { duration: '1h' }, status: writing(forMembers(404, 20)) },
  'POST /api/v4/projects/:id/issues/:issue_iid/add_spent_time': { body: { duration: '1h' }, status: writing(forMembers(404, 20)) },
  'POST /api/v4/projects/:id/issues/:issue_iid/move': { body: { to_project_id: 0 }, status: writing(forMembers(404, 20)) },
  'POST /api/v4/projects/:id/issues/:issue_iid/clone': { body: { to_project_id: 0 }, status: writing(forMembers(404, 20)) },
  'DELETE /api/v4/projects/:id/issues/:issue_iid': { status: writing(forMembers(404, 50)) },
  'GET /api/v4/projects/:id/issues': { status: forMembers(200, 20) },
  'POST /api/v4/projects/:id/issues': { body: { title: 'T' }, status: writing(forMembers(201, 20)) },
  'GET /api/v4/projects/:id/issues/:issue_iid': { status: forMembers(404, 20) },
  'PUT /api/v4/projects/:id/issues/:issue_iid': { body: { title: 'T' }, status: writing(forMembers(404, 20)) },
  'GET /api/v4/projects/:id/issues/:issue_iid/notes': { status: forMembers(404, 20) },
  'POST /api/v4/projects/:id/issues/:issue_iid/notes': { body: { body: 'B' }, status: writing(forMembers(404, 20)) },
  'GET /api/v4/projects/:id/issues/:issue_iid/notes/:note_id': { status: forMembers(404, 20) },
  'PUT /api/v4/projects/:id/issues/:issue_iid/notes/:note_id': { body: { body: 'B' }, status: writing(forMembers(404, 20)) },
  'DELETE /api/v4/projects/:id/issues/:issue_iid/notes/:note_id': { status: writing(forMembers(404, 20)) },
  'GET /api/v4/projects/:id/labels': { status: forMembers(200, 10) },
  'POST /api/v4/projects/:id/labels': { body: { name: 'town', color: '#112233' }, status: writing(forMembers(409, 20)) },
  'PUT /api/v4/projects/:id/labels': { body: { name: 'none' }, status: writing(forMembers(404, 20)) },
  'DELETE /api/v4/projects/:id/labels': { body: { name: 'none' }, status: writing(forMembers(404, 20)) },
  'GET /api/v4/projects/:id/labels/:label_id': { status: forMembers(404, 10) },
  'PUT /api/v4/projects/:id/labels/:label_id': { status: writing(forMembers(404, 20)) },
  'DELETE /api/v4/projects/:id/labels/:label_id': { status: writing(forMembers(404, 20)) },
  'POST /api/v4/projects/:id/labels/:label_id/subscribe': { status: writing(forMembers(404, 10)) },
  'POST /api/v4/projects/:id/labels/:label_id/unsubscribe': { status: writing(forMembers(404, 10)) },
  'GET /api/v4/projects/:id/milestones': { status: forMembers(200, 10) },
  'POST /api/v4/projects/:id/milestones': {
    body: { title: 'T', start_date: '2030-02-02', due_date: '2030-01-01' },
    status: writing(forMembers(400, 20))
  },
  'GET /api/v4/projects/:id/milestones/:milestone_id': { status: forMembers(404, 10) },
  'PUT /api/v4/projects/:id/milestones/:milestone_id': { status: writing(forMembers(404, 20)) },
  'DELETE /api/v4/projects/:id/milestones/:milestone_id': { status: writing(forMembers(404, 20)) },
  'GET /api/v4/projects/:id/milestones/:milestone_id/issues': { status: forMembers(404, 10) },
  'GET /api/v4/projects/:id/milestones/:milestone_id/merge_requests': { status: forMembers(404, 10) },
  'GET /api/v4/groups/:id/labels': { status: forMembers(200, 10) },
  'POST /api/v4/groups/:id/labels': { body: { name: 'town', color: '#112233' }, status: writing(forMembers(409, 20)) },
  'PUT /api/v4/groups/:id/labels': { body: { name: 'none' }, status: writing(forMembers(404, 20)) },
  'DELETE /api/v4/groups/:id/labels': { body: { name: 'none' }, status: writing(forMembers(404, 20)) },
  'GET /api/v4/groups/:id/labels/:label_id': { status: forMembers(404, 10) },
  'PUT /api/v4/groups/:id/labels/:label_id': { status: writing(forMembers(404, 20)) },
  'DELETE /api/v4/groups/:id/labels/:label_id': { status: writing(forMembers(404, 20)) },
  'POST /api/v4/groups/:id/labels/:label_id/subscribe': { status: writing(forMembers(404, 10)) },
  'POST /api/v4/groups/:id/labels/:label_id/unsubscribe': { status: writing(forMembers(404, 10)) },
  'GET /api/v4/groups/:id/milestones': { status: forMembers(200, 10) },
  'POST /api/v4/groups/:id/milestones': {
    body: { title: 'T', start_date: '2030-02-02', due_date: '2030-01-01' },
    status: writing(forMembers(400, 20))
  },
  'GET /api/v4/groups/:id/milestones/:milestone_id': { status: forMembers(404, 10) },
  'PUT /api/v4/groups/:id/milestones/:milestone_id': { status: writing(forMembers(404, 20)) },
  'DELETE /api/v4/groups/:id/milestones/:milestone_id': { status: writing(forMembers(404, 20)) },
  'GET /api/v4/groups/:id/milestones/:milestone_id/issues': { status: forMembers(404, 10) },
  'GET /api/v4/groups/:id/milestones/:milestone_id/merge_requests': { status: forMembers(404, 10) },
  'PUT /api/v4/projects/:id/labels/:label_id/promote': { status: writing(forMembers(404, 20)) },
  'POST /api/v4/projects/:id/milestones/:milestone_id/promote': { status: writing(forMembers(404, 20)) },
  'GET /api/v4/projects/:id/issues/:issue_iid/resource_label_events': { status: forMembers(404, 20) },
  'GET /api/v4/projects/:id/issues/:issue_iid/resource_label_events/:resource_event_id': { status: forMembers(404, 20) },
  'GET /api/v4/projects/:id/issues/:issue_iid/resource_milestone_events': { status: forMembers(404, 20) },
  'GET /api/v4/projects/:id/issues/:issue_iid/resource_milestone_events/:resource_event_id': { status: forMembers(404, 20) },
  'GET /api/v4/projects/:id/issues/:issue_iid/resource_state_events': { status: forMembers(404, 20) },
  'GET /api/v4/projects/:id/issues/:issue_iid/resource_state_events/:resource_event_id': { status: forMembers(404, 20) },
  'GET /api/v4/projects/:id/issues/:issue_iid/discussions': { status: forMembers(404, 20) },
  'POST /api/v4/projects/:id/issues/:issue_iid/discussions': { body: { body: 'B' }, status: writing(forMembers(404, 20)) },
  'GET /api/v4/projects/:id/issues/:issue_iid/discussions/:discussion_id': { status: forMembers(404, 20) },
  'POST /api/v4/projects/:id/issues/:issue_iid/discussions/:discussion_id/notes': {
    body: { body: 'B' },
    status: writing(forMembers(404, 20))
  },
  'GET /api/v4/projects/:id/issues/:issue_iid/discussions/:discussion_id/notes/:note_id': { status: forMembers(404, 20) },
  'PUT /api/v4/projects/:id/issues/:issue_iid/discussions/:discussion_id/notes/:note_id': {
    body: { body: 'B' },
    status: writing(forMembers(404, 20))
  },
  'DELETE /api/v4/projects/:id/issues/:issue_iid/discussions/:discussion_id/notes/:note_id': { status: writing(forMembers(404, 20)) },
  'GET /api/v4/projects/:id/issues/:issue_iid/links': { status: forMembers(404, 20) },
  'POST /api/v4/projects/:id/issues/:issue_iid/links': {
    body: { target_project_id: 0, target_issue_iid: 0 },
    status: writing(forMembers(404, 20))
  },
  'GET /api/v4/projects/:id/issues/:issue_iid/links/:issue_link_id': { status: forMembers(404, 20) },
  'DELETE /api/v4/projects/:id/issues/:issue_iid/links/:issue_link_id': { status: writing(forMembers(404, 20)) },
  'GET /api/v4/projects/:id/issues/:issue_iid/participants': { status: forMembers(404, 20) },
  ...Object.fromEntries(
    [
      ['branches', 200],
      ['branches/:branch', 404],
      ['tags', 200],
      ['tags/:tag', 404],
      ['commits', 200],
      ['commits/:sha', 404],
      ['commits/:sha/diff', 404],
      ['commits/:sha/refs', 404],
      ['tree', 404],
      ['blobs/:sha', 404],
      ['blobs/:sha/raw', 404],
      ['files/:file_path/raw', 404],
      ...['', '.tar', '.tar.gz', '.tgz', '.zip'].map(extension => [`archive${extension}`, 404] as const)
    ].map(([path, ok]) => [`GET /api/v4/projects/:id/repository/${path}`, { status: forCode(ok as number) }])
  ),
  // A required parameter is missing.
  ...Object.fromEntries(
    ['files/:file_path', 'files/:file_path/blame', 'compare', 'merge_base'].map(path => [
      `GET /api/v4/projects/:id/repository/${path}`,
      { status: { ...forAnyone(400) } }
    ])
  ),
  'POST /api/v4/projects/:id/repository/branches': { body: { branch: 'x', ref: 'no' }, status: writing(forMembers(400, 30)) },
  'DELETE /api/v4/projects/:id/repository/branches/:branch': { status: writing(forMembers(404, 30)) },
  'DELETE /api/v4/projects/:id/repository/merged_branches': { status: writing(forMembers(202, 30)) },
  'POST /api/v4/projects/:id/repository/tags': { body: { tag_name: 'x', ref: 'no' }, status: writing(forMembers(400, 30)) },
  'DELETE /api/v4/projects/:id/repository/tags/:tag': { status: writing(forMembers(404, 30)) },
  'POST /api/v4/projects/:id/repository/commits': {
    body: { branch: 'x..y', commit_message: 'M', actions: [{ action: 'delete', file_path: 'x' }] },
    status: writing(forMembers(400, 30))
  },
  ...Object.fromEntries(
    ['POST', 'PUT', 'DELETE'].map(method => [
      `${method} /api/v4/projects/:id/repository/files/:file_path`,
      { body: { branch: 'x..y', commit_message: 'M', content: '' }, status: writing(forMembers(400, 30)) }
    ])
  ),
  'GET /api/v4/projects/:id/ci/lint': { status: forMembers(404, 20) },
  'POST /api/v4/projects/:id/ci/lint': { body: { content: 'a: {}' }, status: forMembers(200, 30) },
  ...Object.fromEntries(
    [
      ['pipelines', 200],
      ['pipelines/latest', 404],
      ['pipelines/:pipeline_id', 404],
      ['pipelines/:pipeline_id/jobs', 404],
      ['jobs', 200],
      ['jobs/:job_id', 404]
    ].map(([path, ok]) => [`GET /api/v4/projects/:id/${path}`, { status: forCode(ok as number) }])
  ),
  'GET /api/v4/projects/:id/pipelines/:pipeline_id/variables': { status: forMembers(404, 30) },
  'POST /api/v4/projects/:id/pipeline': { body: { ref: 'no' }, status: writing(forMembers(400, 30)) },
  ...Object.fromEntries(
    [
      'pipelines/:pipeline_id/cancel',
      'pipelines/:pipeline_id/retry',
      'jobs/:job_id/cancel',
      'jobs/:job_id/retry',
      'jobs/:job_id/erase',
      'jobs/:job_id/play'
    ].map(path => [`POST /api/v4/projects/:id/${path}`, { body: {}, status: writing(forMembers(404, 30)) }])
  ),
  'GET /api/v4/projects/:id/jobs/:job_id/trace': { status: forCode(404) },
  ...Object.fromEntries(
    ['jobs/:job_id/artifacts', 'jobs/:job_id/artifacts/:artifact_path'].map(path => [
      `GET /api/v4/projects/:id/${path}`,
      { status: { ...forCode(404), job: 404 } }
    ])
  ),
  ...Object.fromEntries(
    ['download', 'raw/:artifact_path'].map(path => [
      `GET /api/v4/projects/:id/jobs/artifacts/:ref/${path}`,
      { status: { ...forUsers(400), anonymous: 400, job: 400 } }
    ])
  ),
  'POST /api/v4/projects/:id/jobs/:job_id/artifacts/keep': { status: writing(forMembers(404, 30)) },
  'DELETE /api/v4/projects/:id/jobs/:job_id/artifacts': { status: writing(forMembers(404, 30)) },
  'DELETE /api/v4/projects/:id/artifacts': { body: {}, status: writing(forMembers(202, 40)) },
  ...Object.fromEntries(
    [
      ['', 200],
      ['/:package_id', 404],
      ['/:package_id/package_files', 404],
      ['/:package_id/pipelines', 404],
      ['/generic/:package_name/:package_version/:file_name', 404]
    ].map(([path, ok]) => [`GET /api/v4/projects/:id/packages${path}`, { status: { ...forCode(ok as number), job: ok } }])
  ),
  'PUT /api/v4/projects/:id/packages/generic/:package_name/:package_version/:file_name': {
    body: {},
    status: { ...writing(forMembers(201, 30)), job: 201 }
  },
  'GET /api/v4/projects/:id/registry/repositories': { status: { ...forCode(200), job: 200 } },
  'DELETE /api/v4/projects/:id/registry/repositories/:repository_id': { status: writing(forMembers(404, 30)) },
  ...Object.fromEntries(
    ['', '/:tag_name'].map(path => [
      `GET /api/v4/projects/:id/registry/repositories/:repository_id/tags${path}`,
      { status: { ...forCode(404), job: 404 } }
    ])
  ),
  'DELETE /api/v4/projects/:id/registry/repositories/:repository_id/tags/:tag_name': { status: writing(forMembers(404, 30)) },
  'DELETE /api/v4/projects/:id/registry/repositories/:repository_id/tags': { status: writing(forMembers(404, 40)) },
  'GET /api/v4/groups/:id/registry/repositories': { status: forMembers(200, 10) },
  'GET /api/v4/registry/repositories/:repository_id': { status: forUsers(404) },
  'GET /api/v4/groups/:id/packages': { status: forMembers(200, 10) },
  'DELETE /api/v4/projects/:id/packages/:package_id': { status: { ...writing(forMembers(404, 40)), job: 404 } },
  'DELETE /api/v4/projects/:id/packages/:package_id/package_files/:package_file_id': {
    status: { ...writing(forMembers(404, 40)), job: 404 }
  },
  'GET /api/v4/projects/:id/job_token_scope': { status: forMembers(200, 40) },
  'PATCH /api/v4/projects/:id/job_token_scope': { body: { enabled: false }, status: writing(forMembers(400, 40)) },
  ...Object.fromEntries(
    ['project', 'group'].flatMap(kind => {
      const path = `/api/v4/projects/:id/job_token_scope/${kind === 'group' ? 'groups_' : ''}allowlist`

      return [
        [`GET ${path}`, { status: forMembers(200, 40) }],
        [`POST ${path}`, { body: { [`target_${kind}_id`]: 0 }, status: writing(forMembers(404, 40)) }],
        [`DELETE ${path}/:target_${kind}_id`, { status: writing(forMembers(404, 40)) }]
      ]
    })
  ),
  'POST /api/v4/jobs/:id/artifacts': { status: forRunners(403) },
  'GET /api/v4/jobs/:id/artifacts': { status: { ...forRunners(403), job: 404 } },
  'GET /api/v4/job': { status: { ...forUsers(404), job: 200 } },
  'GET /api/v4/runners': { status: forUsers(200) },
  'GET /api/v4/runners/all': { status: forAdmins(200) },
  'GET /api/v4/runners/:id': { status: forUsers(404) },
  'PUT /api/v4/runners/:id': { body: {}, status: writing(forUsers(404)) },
  'DELETE /api/v4/runners/:id': { status: writing(forUsers(404)) },
  'GET /api/v4/runners/:id/jobs': { status: forUsers(404) },
  'GET /api/v4/runners/:id/managers': { status: forUsers(404) },
  'POST /api/v4/runners/:id/reset_authentication_token': { status: writing(forUsers(404)) },
  'POST /api/v4/user/runners': { body: { runner_type: 'none' }, status: writing(forUsers(400)) },
  'GET /api/v4/projects/:id/runners': { status: forMembers(200, 40) },
  'POST /api/v4/projects/:id/runners': { body: { runner_id: 0 }, status: writing(forMembers(404, 40)) },
  'DELETE /api/v4/projects/:id/runners/:runner_id': { status: writing(forMembers(404, 40)) },
  'GET /api/v4/groups/:id/runners': { status: forMembers(200, 40) },
  'POST /api/v4/runners/reset_registration_token': { status: forAdmins(410) },
  'POST /api/v4/projects/:id/runners/reset_registration_token': { status: writing(forUsers(410)) },
  'POST /api/v4/groups/:id/runners/reset_registration_token': { status: writing(forUsers(410)) },
  'POST /api/v4/runners': { body: {}, status: forRunners(410) },
  ...Object.fromEntries(
    [
      'POST /api/v4/runners/verify',
      'POST /api/v4/runners/reset_authentication_token',
      'DELETE /api/v4/runners',
      'POST /api/v4/jobs/request'
    ].map(route => [route, { body: { token: 'glrt-no' }, status: forRunners(403) }])
  ),
  'DELETE /api/v4/runners/managers': { body: { token: 'glrt-no', system_id: 's' }, status: forRunners(403) },
  'PUT /api/v4/jobs/:id': { body: { token: 'glcbt-no' }, status: forRunners(403) },
  'PATCH /api/v4/jobs/:id/trace': { body: {}, status: forRunners(403) },
  'DELETE /api/v4/projects/:id/pipelines/:pipeline_id': { status: writing(forMembers(404, 50)) },
  'GET /api/v4/snippets': { status: forUsers(200) },
  'GET /api/v4/snippets/public': { status: forUsers(200) },
  'GET /api/v4/snippets/all': { status: forAdmins(200) },
  'POST /api/v4/snippets': { body: {}, status: writing(forUsers(400)) },
  ...Object.fromEntries(
    ['', '/raw', '/files/:ref/:file_path/raw'].flatMap(path => [
      [`GET /api/v4/snippets/:snippet_id${path}`, { status: { ...forUsers(404), anonymous: 404 } }],
      [`GET /api/v4/projects/:id/snippets/:snippet_id${path}`, { status: forSeers(404) }]
    ])
  ),
  'PUT /api/v4/snippets/:snippet_id': { body: { title: 'T' }, status: writing(forUsers(404)) },
  'DELETE /api/v4/snippets/:snippet_id': { status: writing(forUsers(404)) },
  'GET /api/v4/snippets/:snippet_id/user_agent_detail': { status: forAdmins(404) },
  'GET /api/v4/projects/:id/snippets': { status: forSeers(200) },
  'POST /api/v4/projects/:id/snippets': { body: { title: 'T' }, status: writing(forMembers(400, 20)) },
  'PUT /api/v4/projects/:id/snippets/:snippet_id': { body: { title: 'T' }, status: writing(forMembers(404, 10)) },
  'DELETE /api/v4/projects/:id/snippets/:snippet_id': { status: writing(forMembers(404, 10)) },
  'GET /api/v4/projects/:id/snippets/:snippet_id/user_agent_detail': { status: forAdmins(404) },
  'GET /api/v4/projects/:id/environments': { status: forMembers(200, 20) },
  'POST /api/v4/projects/:id/environments': { body: { name: '/' }, status: writing(forMembers(400, 30)) },
  'GET /api/v4/projects/:id/environments/:environment_id': { status: forMembers(404, 20) },
  'PUT /api/v4/projects/:id/environments/:environment_id': { status: writing(forMembers(404, 30)) },
  'DELETE /api/v4/projects/:id/environments/:environment_id': { status: writing(forMembers(404, 30)) },
  'GET /api/v4/projects/:id/feature_flags': { status: forMembers(200, 30) },
  'POST /api/v4/projects/:id/feature_flags': { body: { name: 'A-' }, status: writing(forMembers(400, 30)) },
  'GET /api/v4/projects/:id/feature_flags/:feature_flag_name': { status: forMembers(404, 30) },
  'PUT /api/v4/projects/:id/feature_flags/:feature_flag_name': { status: writing(forMembers(404, 30)) },
  'DELETE /api/v4/projects/:id/feature_flags/:feature_flag_name': { status: writing(forMembers(404, 30)) },
  'POST /api/v4/projects/:id/environments/:environment_id/stop': { status: writing(forMembers(404, 30)) },
  'GET /api/v4/projects/:id/starrers': { status: forMembers(200, 10) },
  // Sudo, impersonation and OAuth act for users who did it before.
  'POST /api/v4/projects/:id/star': { status: { ...writing(forMembers(201, 10)), sudo: 304, impersonation: 304, oauth: 304 } },
  'POST /api/v4/projects/:id/unstar': { status: { ...writing(forMembers(201, 10)), sudo: 304, impersonation: 304, oauth: 304 } },
  'GET /api/v4/projects/:id/error_tracking/errors/:fingerprint/hashes': { status: forMembers(404, 30) },
  'POST /api/v4/projects/:id/error_tracking/errors/:fingerprint/merge': {
    body: { fingerprints: [0] },
    status: writing(forMembers(404, 30))
  },
  'POST /api/v4/projects/:id/error_tracking/errors/:fingerprint/unmerge': {
    body: { hashes: ['0'.repeat(40)] },
    status: writing(forMembers(404, 30))
  },
  'GET /api/v4/events': { status: readingUsers(forUsers(200)) },
  'GET /api/v4/users/:id/events': { status: { ...readingUsers(forUsers(200)), anonymous: 200 } },
  'GET /api/v4/projects/:id/events': { status: forSeers(200) },
  'POST /api/v4/projects/:id/events': { body: { action: 'approved' }, status: writing(forMembers(202, 30)) },
  'GET /api/v4/projects/:id/alert_integrations': { status: forMembers(200, 30) },
  'POST /api/v4/projects/:id/alert_integrations': { body: { name: '' }, status: writing(forMembers(400, 40)) },
  'GET /api/v4/projects/:id/alert_integrations/:integration_id': { status: forMembers(404, 30) },
  'PUT /api/v4/projects/:id/alert_integrations/:integration_id': { body: { name: 'A' }, status: writing(forMembers(404, 40)) },
  'PATCH /api/v4/projects/:id/alert_integrations/:integration_id': { body: { name: 'A' }, status: writing(forMembers(404, 40)) },
  'DELETE /api/v4/projects/:id/alert_integrations/:integration_id': { status: writing(forMembers(404, 40)) },
  'POST /api/v4/projects/:id/alert_integrations/:integration_id/token': { status: writing(forMembers(404, 40)) },
  'POST /api/v4/projects/:id/alert_integrations/:integration_id/test': { body: { payload: {} }, status: writing(forMembers(404, 30)) },
  'GET /api/v4/notification_settings': { status: forUsers(200) },
  'PUT /api/v4/notification_settings': { body: { level: 'foo' }, status: writing(forUsers(400)) },
  'GET /api/v4/groups/:id/notification_settings': { status: forMembers(200, 10) },
  'PUT /api/v4/groups/:id/notification_settings': { body: { level: 'watch' }, status: writing(forMembers(200, 10)) },
  'GET /api/v4/projects/:id/notification_settings': { status: forMembers(200, 10) },
  'PUT /api/v4/projects/:id/notification_settings': { body: { level: 'watch' }, status: writing(forMembers(200, 10)) },
  ...Object.fromEntries(
    (
      [
        ['rules', 40, { name: 'R', triggers: ['error.new'], channel_ids: [0] }],
        ['channels', 40, { kind: 'slack', name: 'C', settings: {} }],
        ['mutes', 30, { reason: 'M', everything: true, ends_at: '2000-01-01' }]
      ] as const
    ).flatMap(([name, role, body]) => [
      [`GET /api/v4/projects/:id/notification_${name}`, { status: forMembers(200, 30) }],
      [`POST /api/v4/projects/:id/notification_${name}`, { body, status: writing(forMembers(400, role)) }],
      [`GET /api/v4/projects/:id/notification_${name}/:row_id`, { status: forMembers(404, 30) }],
      [`PUT /api/v4/projects/:id/notification_${name}/:row_id`, { body, status: writing(forMembers(404, role)) }],
      [`DELETE /api/v4/projects/:id/notification_${name}/:row_id`, { status: writing(forMembers(404, role)) }]
    ])
  ),
  'POST /api/v4/projects/:id/notification_channels/:row_id/test': { status: writing(forMembers(404, 40)) },
  'POST /api/v4/projects/:id/notification_channels/:row_id/signing_secret': { status: writing(forMembers(404, 40)) },
  'GET /api/v4/projects/:id/notification_deliveries': { status: forMembers(200, 30) },
  'GET /api/v4/projects/:id/notification_deliveries/:delivery_id': { status: forMembers(404, 30) },
  'POST /api/v4/projects/:id/notification_mutes/:row_id/discard': { status: writing(forMembers(404, 30)) },
  'POST /api/v4/projects/:id/notification_mutes/:row_id/release': { status: writing(forMembers(404, 30)) },
  'POST /api/v4/projects/:id/notification_deliveries/:delivery_id/resend': { status: writing(forMembers(404, 40)) },
  'GET /api/v4/projects/:id/alert_settings': { status: forMembers(200, 40) },
  'PUT /api/v4/projects/:id/alert_settings': { body: { send_email: false }, status: writing(forMembers(200, 40)) },
  'PATCH /api/v4/projects/:id/alert_settings': { body: { send_email: false }, status: writing(forMembers(200, 40)) },
  'GET /api/v4/projects/:id/storage': { status: forAdmins(200) },
  'GET /api/v4/project_repository_storage_moves': { status: forAdmins(200) },
  'POST /api/v4/project_repository_storage_moves': { body: {}, status: forAdmins(400) },
  'GET /api/v4/project_repository_storage_moves/:repository_storage_move_id': { status: forAdmins(404) },
  'GET /api/v4/projects/:id/repository_storage_moves': { status: forAdmins(200) },
  'POST /api/v4/projects/:id/repository_storage_moves': { body: {}, status: forAdmins(400) },
  'GET /api/v4/projects/:id/repository_storage_moves/:repository_storage_move_id': { status: forAdmins(404) },
  'GET /api/v4/group_repository_storage_moves': { status: forAdmins(200) },
  'POST /api/v4/group_repository_storage_moves': { body: {}, status: forAdmins(400) },
  'GET /api/v4/group_repository_storage_moves/:repository_storage_move_id': { status: forAdmins(404) },
  'GET /api/v4/groups/:id/repository_storage_moves': { status: forAdmins(200) },
  'POST /api/v4/groups/:id/repository_storage_moves': { body: {}, status: forAdmins(400) },
  'GET /api/v4/groups/:id/repository_storage_moves/:repository_storage_move_id': { status: forAdmins(404) },
  'GET /api/v4/snippet_repository_storage_moves': { status: forAdmins(200) },
  'POST /api/v4/snippet_repository_storage_moves': { body: {}, status: forAdmins(400) },
  'GET /api/v4/snippet_repository_storage_moves/:repository_storage_move_id': { status: forAdmins(404) },
  'GET /api/v4/snippets/:id/repository_storage_moves': { status: forAdmins(404) },
  'POST /api/v4/snippets/:id/repository_storage_moves': { body: {}, status: forAdmins(404) },
  'GET /api/v4/snippets/:id/repository_storage_moves/:repository_storage_move_id': { status: forAdmins(404) },
  'GET /api/v4/applications': { status: forAdmins(200) },
  'POST /api/v4/applications': { body: {}, status: forAdmins(400) },
  'DELETE /api/v4/applications/:application_id': { status: forAdmins(404) },
  'POST /api/v4/applications/:application_id/renew-secret': { status: forAdmins(404) },
  'GET /admin/processes': { status: forAdmins(200) },
  'GET /admin/queues/api/queues': { status: forAdmins(200) }
}

/** Calls every route as some people each, and checks that the OpenAPI document lists every status. */
export async function walkRoutes(t: Test, peopleOf: (row: number) => Person[]) {
  const town = await openTown(t)
  const { paths } = (await town.app.inject('/api/v4/openapi.json')).json()
  const operations = new Map(
    Object.entries<Record<string, { responses: object }>>(paths).map(([path, item]) => [nameless(path.replaceAll(/\{\w+\}/g, ':x')), item])
  )
  const documented = (route: string, status: number) => {
    const [method = '', path = ''] = route.split(' ')

    return String(status) in operations.get(nameless(path))![method.toLowerCase()]!.responses
  }
  const rows = Object.entries(table).sort(([, one], [, other]) => Number(one.isLast ?? false) - Number(other.isLast ?? false))

  for (const [row, [route, { body, status }]] of rows.entries()) {
    const [method, path] = route.split(' ') as ['GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', string]
    const url = addressOf(path, town)
    const called = peopleOf(row)
    const expected = Object.fromEntries(called.map(person => [person, status[person] ?? status[likewise[person]!]]))
    const answered: Partial<Record<Person, number>> = {}

    for (const person of called) {
      answered[person] = (await town.app.inject({ method, url, payload: body, headers: town.credentials[person] })).statusCode
    }
    t.same(answered, expected, route)
    t.same(
      Object.values(answered).filter(status => route.includes('/api/v4/') && !documented(route, status)),
      [],
      `${route}: the OpenAPI document lists every status`
    )
  }
}

function addressOf(path: string, { projectId, groupId, userId }: Town) {
  return path
    .replace('/projects/:id', `/projects/${projectId}`)
    .replace('/groups/:id', `/groups/${groupId}`)
    .replace(/\/users\/:(user_)?id/, `/users/${userId}`)
    .replace(':event_id', 'latest')
    .replace(':secret', '0'.repeat(32))
    .replace(':slug', 'slack')
    .replace(/:\w+/g, '0')
}
