import type { Shop } from './a-shop.ts'

/** What a GET route is, if it is no page. */
export const noPages: Record<string, RegExp> = {
  'the REST API': /^\/api\//,
  'the intake of errors and alerts': /^\/errortracking\/api\/|^\/:project\/(prometheus\/)?alerts\/notify/,
  'assets and probes': /^\/-\/(style|scripts|icon|live|liveness|readiness|metrics)|^\/favicon\.ico/,
  'files of users': /^\/uploads\//,
  'OAuth for machines': /^\/oauth\/(token|userinfo|discovery)|^\/\.well-known\//,
  'the way back from a sign-in elsewhere': /^\/users\/auth\//,
  'git over HTTP': /^\/-\/git\//,
  'tokens of the container registry': /^\/jwt\/auth$/,
  'the dashboard of queues, which is a library’s': /^\/admin\/queues\/board/,
  downloads: /\/events\/:event_id\/(json|markdown)$|^\/admin\/audit\/export$/
}

/** An address of each page, by its route. */
export function addressesIn(shop: Shop): Record<string, string> {
  const { path, group, errors, integration, project, notifications, snippet, pipeline, jobId, packageId, userId } = shop
  const error = `${path}/errors/${errors.find(({ name }) => name === 'TypeError')!.fingerprint}`
  const alerts = `${path}/alert_integrations`
  const integrationRoute = '/projects/:id/alert_integrations/:integration(^\\d{1,15}$)'

  return {
    '/': '/',
    '/first_steps': '/first_steps',
    '/alerts': '/alerts',
    '/incidents': '/incidents',
    '/search': '/search?q=timeout',
    '/projects': '/projects',
    '/projects/new': `/projects/new?namespace_id=${group.id}`,
    '/groups/-/new': `/groups/-/new?parent_id=${group.id}`,
    '/projects/:id': path,
    '/projects/:id/members': `${path}/members?who=ann`,
    '/groups/:id(^\\d{1,15}$)/-/members': `/groups/${group.id}/-/members`,
    '/projects/:id/settings': `${path}/settings`,
    '/groups/:id(^\\d{1,15}$)/-/settings': `/groups/${group.id}/-/settings`,
    ...placePages(shop),
    '/projects/:id/setup': `${path}/setup?platform=browser`,
    '/projects/:id/statistics': `${path}/statistics`,
    '/projects/:id/errors': `${path}/errors`,
    '/projects/:id/errors/:fingerprint': error,
    '/projects/:id/errors/:fingerprint/events': `${error}/events`,
    '/projects/:id/errors/:fingerprint/events/:event_id': `${error}/events/oldest`,
    '/projects/:id/errors/:fingerprint/merged': `${error}/merged`,
    '/projects/:id/error_settings': `${path}/error_settings`,
    '/projects/:id/error_settings/scrubbing': `${path}/error_settings/scrubbing`,
    '/projects/:id/error_settings/limits': `${path}/error_settings/limits`,
    '/projects/:id/error_settings/ownership': `${path}/error_settings/ownership`,
    '/projects/:id/error_settings/commits': `${path}/error_settings/commits`,
    '/projects/:id/error_settings/forwarding': `${path}/error_settings/forwarding`,
    '/projects/:id/error_settings/tracker': `${path}/error_settings/tracker`,
    '/projects/:id/code': `${path}/code`,
    '/projects/:id/code/tree/*': `${path}/code/tree/main/src`,
    '/projects/:id/code/blob/*': `${path}/code/blob/main/src/app.ts`,
    '/projects/:id/code/commits/*': `${path}/code/commits/main`,
    '/projects/:id/code/commit/:sha': `${path}/code/commit/main`,
    '/projects/:id/pipelines': `${path}/pipelines`,
    '/projects/:id/pipelines/:pipeline(^\\d{1,15}$)': `${path}/pipelines/${pipeline.id}`,
    '/projects/:id/jobs/:job(^\\d{1,15}$)': `${path}/jobs/${jobId}`,
    '/projects/:id/packages': `${path}/packages`,
    '/projects/:id/packages/:package(^\\d{1,15}$)': `${path}/packages/${packageId}`,
    '/projects/:id/feedback': `${path}/feedback`,
    '/projects/:id/monitors': `${path}/monitors`,
    '/projects/:id/monitors/new': `${path}/monitors/new`,
    '/projects/:id/monitors/:slug': `${path}/monitors/nightly-export`,
    '/projects/:id/monitors/new?kind=http': `${path}/monitors/new?kind=http`,
    '/projects/:id/monitors/:slug, of a URL': `${path}/monitors/checkout`,
    '/projects/:id/releases': `${path}/releases`,
    '/projects/:id/releases/compare': `${path}/releases/compare?from=web-shop%403.14.1&to=web-shop%403.15.0`,
    '/projects/:id/releases/:version': `${path}/releases/web-shop%403.15.0`,
    '/projects/:id/alerts': `${path}/alerts`,
    '/projects/:id/alerts/:iid': `${path}/alerts/1`,
    '/projects/:id/alert_settings': `${path}/alert_settings`,
    '/projects/:id/alert_integrations': alerts,
    '/projects/:id/alert_integrations/new': `${alerts}/new`,
    [integrationRoute]: `${alerts}/${integration.id}`,
    [`${integrationRoute}/connect`]: `${alerts}/${integration.id}/connect`,
    [`${integrationRoute}/connect/:tool`]: `${alerts}/${integration.id}/connect/curl`,
    [`${integrationRoute}/mapping`]: `${alerts}/${integration.id}/mapping`,
    [`${integrationRoute}/test`]: `${alerts}/${integration.id}/test`,
    '/projects/:id/incidents': `${path}/incidents`,
    '/projects/:id/incidents/new': `${path}/incidents/new`,
    '/projects/:id/incidents/:iid': `${path}/incidents/1`,
    '/projects/:id/issues': `${path}/issues`,
    '/projects/:id/issues/new': `${path}/issues/new`,
    '/projects/:id/issues/:iid': `${path}/issues/3`,
    '/-/profile/account': '/-/profile/account',
    '/admin/spam_logs': '/admin/spam_logs',
    '/admin/audit': '/admin/audit',
    '/admin/projects': '/admin/projects?days=30',
    '/projects/:id/notifications': `${path}/notifications`,
    '/projects/:id/notifications/channels/new': `${path}/notifications/channels/new`,
    '/projects/:id/notifications/channels/:channel(^\\d{1,15}$)': `${path}/notifications/channels/${notifications.channel}`,
    '/projects/:id/notifications/rules/new': `${path}/notifications/rules/new`,
    '/projects/:id/notifications/rules/:rule(^\\d{1,15}$)': `${path}/notifications/rules/${notifications.rule}`,
    '/projects/:id/notifications/mutes/new': `${path}/notifications/mutes/new`,
    '/projects/:id/notifications/mutes/:mute(^\\d{1,15}$)': `${path}/notifications/mutes/${notifications.mute}`,
    '/projects/:id/notifications/deliveries': `${path}/notifications/deliveries`,
    '/projects/:id/notifications/deliveries/:delivery(^\\d{1,15}$)': `${path}/notifications/deliveries/${notifications.delivery}`,
    '/-/snippets': '/-/snippets',
    '/-/snippets/:id(^\\d{1,15}$)': `/-/snippets/${snippet.id}`,
    '/-/profile': '/-/profile',
    '/-/profile/emails': '/-/profile/emails',
    '/-/profile/notifications': '/-/profile/notifications',
    '/-/profile/notifications/projects/:id(^\\d{1,15}$)': `/-/profile/notifications${path}`,
    '/-/profile/notifications/groups/:id(^\\d{1,15}$)': `/-/profile/notifications/groups/${group.id}`,
    '/-/profile/password': '/-/profile/password',
    '/-/profile/two_factor': '/-/profile/two_factor',
    '/-/profile/tokens': '/-/profile/tokens',
    '/-/profile/passkeys': '/-/profile/passkeys',
    '/-/profile/identities': '/-/profile/identities',
    '/-/profile/sessions': '/-/profile/sessions',
    '/-/profile/applications': '/-/profile/applications',
    ...runnerPages(shop),
    '/projects/:id/pipelines/new': `${path}/pipelines/new`,
    '/admin/users': '/admin/users',
    '/admin/users/new': '/admin/users/new',
    '/admin/users/:id(^\\d{1,15}$)': `/admin/users/${userId}`,
    '/admin/settings': '/admin/settings',
    '/admin/settings/address': '/admin/settings/address',
    '/admin/applications': '/admin/applications',
    '/admin/mail': '/admin/mail',
    '/admin': '/admin',
    '/admin/queues': '/admin/queues',
    '/admin/processes': '/admin/processes',
    '/admin/storages': '/admin/storages',
    '/help/api': '/help/api',
    '/help/api/:group': '/help/api/error-tracking',
    '/help/deprecations': '/help/deprecations',
    'a group': `/${group.path}`,
    'a user': '/ann',
    'a page that does not exist': `/${project.path_with_namespace}/nothing`
  }
}

function runnerPages({ path, group }: Shop) {
  const places = {
    '/projects/:id/runners': `${path}/runners`,
    '/groups/:id(^\\d{1,15}$)/-/runners': `/groups/${group.id}/-/runners`,
    '/admin/runners': '/admin/runners'
  }

  return Object.fromEntries(
    Object.entries(places).flatMap(([route, url]) => [
      [route, url],
      [`${route}/new`, `${url}/new`]
    ])
  )
}

/** The same pages in three places. */
function placePages({ path, group, webhooks, variables }: Shop) {
  const places = [
    { route: '/projects/:id/hooks', url: `${path}/hooks`, part: ':hook', id: webhooks.project },
    { route: '/groups/:id(^\\d{1,15}$)/-/hooks', url: `/groups/${group.id}/-/hooks`, part: ':hook', id: webhooks.group },
    { route: '/admin/hooks', url: '/admin/hooks', part: ':hook', id: webhooks.system },
    { route: '/projects/:id/variables', url: `${path}/variables`, part: ':variable', id: variables.project },
    { route: '/groups/:id(^\\d{1,15}$)/-/variables', url: `/groups/${group.id}/-/variables`, part: ':variable', id: variables.group },
    { route: '/admin/variables', url: '/admin/variables', part: ':variable', id: variables.system }
  ]

  return Object.fromEntries(
    places.flatMap(({ route, url, part, id }) => [
      [route, url],
      [`${route}/new`, `${url}/new`],
      [`${route}/${part}(^\\d{1,15}$)`, `${url}/${id}`]
    ])
  )
}
