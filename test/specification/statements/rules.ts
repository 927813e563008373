import type { Section } from './statement.ts'

export const authentication = {
  title: 'Authentication',
  statements: {
    'OAuth 2.0 access token': '`access_token` in the query, or a bearer token',
    'personal, project or group access token': '`private_token`, `PRIVATE-TOKEN`, or a bearer token',
    'job token': '`job_token` or `JOB-TOKEN`, for some endpoints',
    'session cookie': '`_service_session`, from signing in',
    'impersonation token': 'Made by admins for a user; can be switched off',
    'deploy tokens': 'Do not open the API',
    'key of an alert integration': 'A bearer token, the password of HTTP Basic, or part of the URL',
    sudo: 'Admins with the scope `sudo` act as another user',
    state: 'Returned to the client as it was sent',
    code_verifier: '43 to 128 characters of a fixed set',
    code_challenge: 'The SHA-256 of the verifier in base64url, with `S256`',
    scope: 'A list, separated by spaces',
    'Git over HTTPS': 'Username `oauth2`, and a token with `read_repository` or `write_repository`',
    'missing or wrong credentials': '401'
  }
} as const satisfies Section

export const activity = {
  title: 'Events',
  statements: {
    target_type: 'Filters by `issue`, `milestone`, `merge_request`, `note`, `project`, `snippet` or `user`',
    'before and after': 'Days, written YYYY-MM-DD',
    retention: 'Events of more than three years ago are deleted',
    repository_download_operation: 'An audit event of downloads',
    'emails of level custom': 'Eighteen kinds',
    'inbound events': 'Alerts by webhook, and the error, message and session of an SDK'
  }
} as const satisfies Section

export const statusCodes = {
  title: 'Status codes',
  statements: {
    200: 'Found, changed or deleted',
    201: 'Created',
    202: 'Scheduled',
    204: 'Done, without a body',
    301: 'A renamed project, with its new address',
    304: 'Not modified',
    400: 'An attribute is missing or wrong',
    401: 'Not authenticated',
    403: 'Not allowed',
    404: 'Not found or not visible, or no such route',
    405: 'Not a method of this route',
    409: 'It exists already',
    410: 'Removed operations',
    412: 'Changed since the given date',
    414: 'The query is too long',
    422: 'Cannot be processed',
    429: 'Too many requests',
    500: 'A fault of the server, without internals',
    503: 'Overloaded for now'
  }
} as const satisfies Section

export const errorBodies = {
  title: 'Bodies of errors',
  statements: {
    '401': '`message` is `401 Unauthorized`',
    '400, missing attribute': '`message` names the attribute',
    '400, validation': '`message` has the errors of each attribute, nested where it is nested',
    '404, unknown route': '`error` is `404 Not Found`',
    '403, sudo without admin': 'Must be admin to use sudo',
    '403, sudo without scope': '`insufficient_scope`, with the scope `sudo`',
    '404, sudo target': 'Names the id or the username that does not exist',
    'spam, no CAPTCHA': 'A sentence; the request is discarded',
    'spam, with CAPTCHA': 'The spam-detection response; the request is sent again with two headers',
    'external error tracking without monitoring': '404 until the feature is enabled',
    'path that is not encoded': '404'
  }
} as const satisfies Section

export const limits = {
  title: 'Limits',
  statements: {
    page: '1 unless given',
    per_page: '20 unless given, at most 100',
    'largest offset': 'Bounded, and configurable',
    'over 10,000 records': 'Without totals and without `last`',
    'access token lifetime': 'Two hours',
    'code_verifier length': '43 to 128 characters',
    'retention of events': 'Three years',
    'retention of errors': '90 days',
    'rate limits': '429',
    'size of alerts': 'Bounded',
    'length of the query': 'Bounded: 414',
    'keyset pages': 'Only the listed lists and orders; `order_by` is required',
    'users by number': { says: 'Replaced by keyset', deprecation: 'users-offset' }
  }
} as const satisfies Section
