import type { Person } from './town.ts'

/** How to call a route whose request would otherwise do something, lack what is checked before the role, or be answered in another way. */
interface Example {
  body?: object
  query?: string
  /** Who is answered differently from what the statement says, and why. */
  answers?: Partial<Record<Person, number>>
  /** It costs its caller the token. */
  isLast?: true
}

/** Of projects and of groups, whose addresses begin with `/:id`. Most fail, for a reason that only those learn who have access. */
const ofBoth: Record<string, Example> = {
  'POST invitations': { body: { email: 'nonsense', access_level: 10 } },
  'POST access_tokens': { body: { name: 'T', scopes: [] } },
  'POST share': { body: { group_id: 0, group_access: 10 } },
  'POST members': { body: { user_id: 0, access_level: 10 } },
  'POST deploy_tokens': { body: { name: 'D', scopes: 'read_repository', expires_at: '2020-01-01' } },
  'POST hooks': { body: { url: 'ftp://a.example' } },
  'POST variables': { body: { key: 'K', value: 'short', masked: true } },
  'PUT ': { body: { description: 'D' } },
  'DELETE ': { body: { permanently_remove: true } },
  'GET search': { query: '?scope=issues&search=x' },
  'GET -/search': { query: '?scope=issues&search=x' },
  'POST labels': { body: { name: 'town', color: '#112233' } },
  'PUT labels': { body: { name: 'none' } },
  'DELETE labels': { body: { name: 'none' } },
  'POST milestones': { body: { title: 'T', start_date: '2030-02-02', due_date: '2030-01-01' } },
  'PUT notification_settings': { body: { level: 'watch' } }
}

/** Sudo, impersonation and OAuth act for users who did it before. */
const doneBefore = { sudo: 304, impersonation: 304, oauth: 304 }
/** It is no personal access token. */
const noToken = { oauth: 400 }
/** The operation was removed: nobody's role is looked at. */
const gone = {
  stranger: 410,
  guest: 410,
  reporter: 410,
  developer: 410,
  maintainer: 410,
  owner: 410,
  sudo: 410,
  impersonation: 410,
  oauth: 410
}

const ofProjects: Record<string, Example> = {
  'PUT transfer': { body: { namespace: '0' } },
  'PUT error_tracking/settings': { body: { active: true, integrated: true } },
  'PATCH error_tracking/settings': { body: { active: true } },
  'DELETE error_tracking/client_keys': { body: { key_id: 0 } },
  'POST error_tracking/saved_searches': { body: { name: ' ', query: '' } },
  'PUT error_tracking/errors': { body: { fingerprints: [0], status: 'resolved' } },
  'PUT alert_management_alerts/:alert_iid/metric_images/:image_id': { body: { url_text: 'U' } },
  'POST issues': { body: { title: 'T' } },
  'POST repository/branches': { body: { branch: 'x', ref: 'no' } },
  'POST repository/tags': { body: { tag_name: 'x', ref: 'no' } },
  'POST repository/commits': {
    body: { branch: 'x..y', commit_message: 'M', actions: [{ action: 'delete', file_path: 'x' }] }
  },
  ...Object.fromEntries(
    ['POST', 'PUT', 'DELETE'].map(method => [
      `${method} repository/files/:file_path`,
      { body: { branch: 'x..y', commit_message: 'M', content: '' } }
    ])
  ),
  'GET repository/compare': { query: '?from=a&to=b' },
  'GET repository/merge_base': { query: '?refs[]=a&refs[]=b' },
  'POST ci/lint': { body: { content: 'a: {}' } },
  'POST pipeline': { body: { ref: 'no' } },
  'PATCH job_token_scope': { body: { enabled: false } },
  'POST job_token_scope/allowlist': { body: { target_project_id: 0 } },
  'POST job_token_scope/groups_allowlist': { body: { target_group_id: 0 } },
  'POST runners': { body: { runner_id: 0 } },
  'POST snippets': { body: { title: 'T' } },
  // Whether the caller is its author is what decides, and it does not exist.
  'PUT snippets/:snippet_id': { body: { title: 'T' }, answers: { guest: 404, sudo: 404 } },
  'DELETE snippets/:snippet_id': { answers: { guest: 404, sudo: 404 } },
  'POST environments': { body: { name: '/' } },
  'PUT environments/:environment_id': { body: {} },
  'POST feature_flags': { body: { name: 'A-' } },
  'POST events': { body: { action: 'approved' } },
  'POST alert_integrations': { body: { name: '' } },
  'POST notification_rules': { body: { name: 'R', triggers: ['error.new'], channel_ids: [0] } },
  'POST notification_channels': { body: { kind: 'slack', name: 'C', settings: {} } },
  'POST notification_mutes': { body: { reason: 'M', everything: true, ends_at: '2000-01-01' } },
  'PUT alert_settings': { body: { send_email: false } },
  'PATCH alert_settings': { body: { send_email: false } },
  'POST star': { answers: doneBefore },
  'POST unstar': { answers: doneBefore }
}

export const examples: Record<string, Example> = {
  ...inside('projects', { ...ofBoth, ...ofProjects }),
  ...inside('groups', ofBoth),
  'POST /api/v4/projects/:id/runners/reset_registration_token': { answers: gone },
  'POST /api/v4/groups/:id/runners/reset_registration_token': { answers: gone },
  // Its clients find the way to sign in from a 401.
  'POST /api/v4/mcp': { answers: { blocked: 401 } },
  'PUT /api/v4/users/:id': { body: { email: 'none' } },
  'DELETE /api/v4/users/:id': { body: { hard_delete: 'perhaps' } },
  'POST /api/v4/projects/user/:user_id': { body: { name: 'P' } },
  'GET /api/v4/personal_access_tokens/self': { answers: noToken },
  'DELETE /api/v4/personal_access_tokens/self': { answers: noToken, isLast: true },
  'POST /api/v4/personal_access_tokens/self/rotate': { body: { expires_at: '1' } },
  'POST /api/v4/groups': { body: { name: 'G', path: 'a/b' } },
  'POST /api/v4/hooks': { body: { url: 'ftp://a.example' } },
  'POST /api/v4/system_hooks': { body: { url: 'ftp://a.example' } },
  'POST /api/v4/admin/ci/variables': { body: { key: 'K', value: 'short', masked: true } },
  'PUT /api/v4/notification_settings': { body: { level: 'foo' } },
  'POST /api/v4/user/runners': { body: { runner_type: 'none' } },
  ...Object.fromEntries(
    ['POST runners/verify', 'POST runners/reset_authentication_token', 'DELETE runners', 'POST jobs/request'].map(route => [
      route.replace(' ', ' /api/v4/'),
      { body: { token: 'glrt-no' } }
    ])
  ),
  'DELETE /api/v4/runners/managers': { body: { token: 'glrt-no', system_id: 's' } },
  // The job of the token that it is called with.
  'GET /api/v4/jobs/:id/artifacts': { answers: { job: 404 } },
  'GET /api/v4/job': { answers: { job: 200 } }
}

function inside(kind: 'projects' | 'groups', own: Record<string, Example>) {
  return Object.fromEntries(
    Object.entries(own).map(([route, example]) => {
      const [method, path] = route.split(' ')

      return [`${method} /api/v4/${kind}/:id${path ? `/${path}` : ''}`, example]
    })
  )
}
