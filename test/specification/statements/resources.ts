import type { Section } from './statement.ts'

export const tokenResponse = {
  title: 'OAuth token response',
  statements: {
    access_token: 'An opaque string',
    token_type: '`bearer`',
    expires_in: '7200: access tokens live two hours',
    refresh_token: 'Part of the code and refresh grants, not of the password grant',
    created_at: 'Seconds since 1970; part of the code and refresh grants'
  }
} as const satisfies Section

export const tokenInformation = {
  title: 'Token information',
  statements: {
    resource_owner_id: 'The user for whom the token acts',
    scope: 'The granted scopes',
    expires_in: 'Seconds that remain, null without an end',
    application: 'Has the `uid` of the application',
    created_at: 'Seconds since 1970',
    scopes: 'The former name of `scope`',
    expires_in_seconds: 'The former name of `expires_in`'
  }
} as const satisfies Section

export const oauthApplication = {
  title: 'OAuth application',
  statements: {
    credentials: 'An application ID and a secret, issued when it is created',
    'redirect URI and scopes': 'Chosen at registration; OpenID Connect needs the scope `openid`',
    registration: 'On pages: of users for themselves, of admins for the installation'
  }
} as const satisfies Section

export const genericAlert = {
  title: 'Alert: payload of an HTTP endpoint',
  statements: {
    title: '`New: Alert` unless given',
    description: 'A summary',
    start_time: 'The time of receipt unless given',
    end_time: 'Resolves the alert',
    service: 'The affected service',
    monitoring_tool: 'The name of the tool',
    hosts: 'One host, or an array',
    severity: 'One of six in any case; `critical` when missing or unknown',
    fingerprint: 'Groups occurrences; otherwise computed from the payload without its times and hosts',
    service_environment_name: 'The environment of the alert',
    'any other key': 'Kept as a custom field',
    'alert record': 'Intake returns the `iid` and `title` of each alert'
  }
} as const satisfies Section

export const metricsAlert = {
  title: 'Alert: payload of the metrics webhook',
  statements: {
    'required attributes': 'Nine top-level attributes; one alert for each element of `alerts`',
    title: '`title` or `summary` of the annotations, or the label `alertname`',
    startsAt: 'The start, required',
    'annotations/description': 'A summary',
    'annotations/service_incident_markdown': 'Appended to the incident that the alert opens',
    'annotations/runbook': 'A link to instructions',
    endsAt: 'The end',
    'g0.expr': 'The query, from `generatorURL`',
    'labels/service_environment_name': 'The environment',
    'labels/severity': 'By the table of severities; `critical` unless given',
    status: '`resolved` resolves the alert',
    'annotations/service_y_label': 'The label of the Y axis of an embedded chart',
    'extra keys': 'Other annotations are part of the details, nested ones too'
  }
} as const satisfies Section

export const severities = {
  title: 'Severities of metrics alerts',
  statements: {
    critical: '`critical`, `s1`, `p1`, `emergency`, `fatal`',
    high: '`high`, `s2`, `p2`, `major`, `page`',
    medium: '`medium`, `s3`, `p3`, `error`, `alert`',
    low: '`low`, `s4`, `p4`, `warn`, `warning`',
    info: '`info`, `s5`, `p5`, `debug`, `information`, `notice`'
  }
} as const satisfies Section

export const notificationSetting = {
  title: 'Notification setting',
  statements: {
    level: '`disabled`, `participating`, `watch`, `global`, `mention` or `custom`',
    notification_email: 'Part of the global setting only',
    events: 'One boolean for each kind of mail, when the level is `custom`'
  }
} as const satisfies Section

export const eventRecord = {
  title: 'Event record',
  statements: {
    id: 'An integer',
    title: 'Always null',
    project_id: 'The project',
    action_name: 'Such as `opened`, `closed`, `pushed` or `commented on`',
    target_id: 'The id of the target, or null',
    target_iid: 'Its number in the project, or null',
    target_type: 'Such as `Issue` or `Note`, or null',
    author_id: 'Who did it',
    target_title: 'The title of the target, or null',
    created_at: 'ISO 8601 with milliseconds, in UTC',
    author: 'The user, with name, username, id, state, avatar and address',
    author_username: 'The username',
    push_data: 'Of pushes only: counts, refs and commits',
    note: 'Of comments only: the comment with its author and target',
    data: 'Null, in the list of a project'
  }
} as const satisfies Section

export const trackingSettings = {
  title: 'Error-tracking settings',
  statements: {
    active: 'Whether errors are taken',
    project_name: 'The external project; null for integrated tracking',
    tracker_external_url: 'The page of the external project; null for integrated tracking',
    api_url: 'The API of the external project; null for integrated tracking',
    integrated: 'Whether errors are kept here'
  }
} as const satisfies Section

export const clientKey = {
  title: 'Error-tracking client key',
  statements: {
    id: 'An integer',
    active: 'Whether it works',
    public_key: 'Generated, with a prefix',
    tracker_dsn: 'What SDKs are configured with'
  }
} as const satisfies Section

export const otherResources = {
  title: 'Storage moves and identifiers',
  statements: {
    'storage move': 'Has a state, `finished` at its end; projects have `repository_storage`',
    'id and iid': 'An id is unique in the installation, an iid in its project, which is how issues are addressed',
    'booleans in requests': '`true` and `false`'
  }
} as const satisfies Section

export const spamResponse = {
  title: 'Spam-detection response',
  statements: {
    needs_captcha_response: 'True, and only when CAPTCHA is configured',
    spam_log_id: 'The log to name when the request is sent again',
    captcha_site_key: 'The key of the widget',
    message: 'Has `error`, a sentence'
  }
} as const satisfies Section
