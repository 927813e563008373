import type { Section } from './statement.ts'

export const requestRules = {
  title: 'General rules of requests',
  statements: {
    payload: 'Parameters in the query, in JSON, or in a form; plain text only where it is documented',
    'path parameters': 'A `/` in a value is encoded; otherwise there is no such route',
    'array parameters': '`name[]=a&name[]=b`',
    'hash parameters': '`name[key]=value`',
    'arrays of hashes': '`name[0][key]=value`, or JSON',
    plus: 'A `+` in a query is written `%2B`',
    'status codes': 'POST 201, GET and PUT 200, DELETE 204 or 202'
  }
} as const satisfies Section

export const oauthEndpoints = {
  title: 'OAuth 2.0 endpoints',
  statements: {
    'GET /oauth/authorize': 'Asks the user, and returns to the client with `code` and `state`',
    'POST /oauth/token': 'Exchanges a grant for a token',
    'GET /oauth/token/info': 'Describes the token of the query or of the header',
    'POST /oauth/revoke': 'Ends a token',
    '/oauth/userinfo': 'The claims of OpenID Connect, by any method'
  }
} as const satisfies Section

export const grants = {
  title: 'OAuth 2.0 grants',
  statements: {
    'authorization_code (PKCE)': 'With a verifier and without a secret',
    'authorization_code (standard)': 'With a secret',
    'refresh_token (PKCE)': 'With a verifier and without a secret',
    'refresh_token (standard)': 'With a secret',
    password: 'Username and password, optionally the client by HTTP Basic; scope `api` unless given',
    redirect_uri: 'Equals that of the authorization request',
    'other grants': 'Neither device nor implicit grants',
    'password with two-factor authentication': 'Refused',
    'CORS preflight': 'Answered by `/oauth/revoke`, `/oauth/token` and `/oauth/userinfo`, for some headers only'
  }
} as const satisfies Section

export const notificationEndpoints = {
  title: 'Notification settings: endpoints',
  statements: {
    'GET /notification_settings': 'The global setting',
    'PUT /notification_settings': 'Changes level, address and kinds of mail',
    'GET /groups/:id/notification_settings': 'The setting for a group',
    'GET /projects/:id/notification_settings': 'The setting for a project',
    'PUT /groups/:id/notification_settings': 'Changes the setting for a group',
    'PUT /projects/:id/notification_settings': 'Changes the setting for a project'
  }
} as const satisfies Section

export const eventEndpoints = {
  title: 'Events: endpoints',
  statements: {
    'GET /events': 'The events of the user; with `scope=all` those of all their projects',
    'GET /users/:id/events': 'The events of a user, newest first',
    'GET /projects/:project_id/events': 'The visible events of a project'
  }
} as const satisfies Section

export const trackingEndpoints = {
  title: 'Error tracking: endpoints',
  statements: {
    'GET /projects/:id/error_tracking/settings': 'The settings',
    'PUT /projects/:id/error_tracking/settings': 'Sets `active` and `integrated`',
    'PATCH /projects/:id/error_tracking/settings': 'Sets `active`, optionally `integrated`',
    'GET /projects/:id/error_tracking/client_keys': 'The client keys',
    'POST /projects/:id/error_tracking/client_keys': 'Creates a client key',
    'DELETE /projects/:id/error_tracking/client_keys/:key_id': 'Deletes a client key; the answer is empty'
  }
} as const satisfies Section

export const sdkPayloads = {
  title: 'Payloads of SDKs',
  statements: {
    Go: 'Store: exception, message',
    Java: 'Envelope: exception, message',
    NodeJS: 'Envelope: exception, message',
    PHP: 'Store: exception, message',
    Python: 'Envelope: exception, message, session',
    Ruby: 'Envelope: exception, message',
    Rust: 'Envelope: exception, message, session'
  }
} as const satisfies Section

export const alertIntake = {
  title: 'Alert intake',
  statements: {
    URL: 'POST to the URL of the integration; that of a metrics webhook ends in `alerts/notify.json`',
    body: 'JSON of either kind',
    response: '200 with an array of `iid` and `title`',
    roles: 'Maintainers manage integrations, developers send test alerts',
    integrations: 'Several endpoints with names and mappings, and the metrics webhook',
    'end time of a mapping': 'A mapping names the field that resolves alerts; otherwise it is `end_time`'
  }
} as const satisfies Section

export const storageMoves = {
  title: 'Repository storage moves',
  statements: {
    'POST /project_repository_storage_moves': 'Schedules moves of all projects on a storage',
    'POST /snippet_repository_storage_moves': 'Schedules moves of all snippets on a storage',
    'POST /group_repository_storage_moves': 'Schedules moves of all group wikis on a storage',
    'GET /projects?repository_storage=': 'Lists the projects on a storage'
  }
} as const satisfies Section

export const otherEndpoints = {
  title: 'Other endpoints',
  statements: {
    'GET /user': 'The user of the token',
    'GET /projects': 'By number and by keyset; public projects without a token',
    'GET /projects/:id/ci/lint': 'Checks the CI configuration of a commit',
    'POST /projects/:id/pipeline': 'Starts a pipeline for `ref` with `variables`',
    'POST /runners, …/reset_registration_token': { says: 'Registration tokens of runners', deprecation: 'reset-registration-token' }
  }
} as const satisfies Section

export const offsetPages = {
  title: 'Pages by number',
  statements: {
    'page and per_page': '1 and 20 unless given, at most 100',
    headers: '`x-next-page`, `x-page`, `x-per-page`, `x-prev-page`, `x-total`, `x-total-pages`',
    Link: '`prev`, `next`, `first` and `last`'
  }
} as const satisfies Section

export const keysetPages = {
  title: 'Pages by keyset',
  statements: {
    'Link and end': 'Only `next`; absent on the last page, and no other header',
    'Group audit events': '`id`, newest first; signed in',
    Groups: '`name`, ascending; for anyone',
    'Instance audit events': '`id`, newest first; signed in',
    'Package pipelines': '`id`, newest first; signed in',
    'Project jobs': '`id`, newest first; signed in',
    'Project audit events': '`id`, newest first; signed in',
    Projects: '`id`; for anyone',
    Users: '`id`, `name` or `username`; for anyone',
    'Registry repository tags': '`name`, both ways; signed in'
  }
} as const satisfies Section
