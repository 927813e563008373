/** Release dates of GitLab versions that deprecate or remove something. */
export const releases = {
  '14.0': '2021-06-22',
  '14.7': '2022-01-22',
  '14.8': '2022-02-22',
  '15.6': '2022-11-22',
  '15.7': '2022-12-22',
  '15.9': '2023-02-22',
  '16.5': '2023-10-22',
  '16.9': '2024-02-15',
  '16.10': '2024-03-21',
  '17.0': '2024-05-16',
  '18.0': '2025-05-15'
} as const

export type Release = keyof typeof releases

export interface Deprecation {
  what: string
  kind: 'operation' | 'parameter' | 'field' | 'behaviour'
  /** Undefined when the deprecation predates any known release. */
  since?: Release
  /** `v5`: the next API version, which has no date. */
  removedIn: Release | 'v5'
  /** Consequence and replacement. */
  note: string
  /** What the message of a 410 says. */
  goneReason?: string
}

/** Why registration tokens are refused. */
export const createFirst =
  'runner registration disallowed: create a runner with POST /user/runners, and register with its authentication token (glrt-…)'

/** Deprecated and removed features of this API. */
export const deprecations = {
  'runner-registration': {
    what: '`POST /runners` with a registration token and `locked`, `access_level`, `run_untagged`, `maximum_timeout`, `paused`, `tag_list` or `maintenance_note`',
    kind: 'parameter',
    since: '15.6',
    removedIn: '17.0',
    note: 'Returns 410. Create the runner with these settings, and register it with its authentication token.'
  },
  'lint-ref-and-sha': {
    what: '`ref` and `sha` together on `GET /projects/:id/ci/lint`',
    kind: 'parameter',
    since: '16.9',
    removedIn: '17.0',
    note: 'Refused. Give one of the two.'
  },
  'feature-flag-version': {
    what: '`version` of a feature flag',
    kind: 'field',
    since: '14.0',
    removedIn: '17.0',
    note: 'Leave it out; it is ignored.'
  },
  'users-offset': {
    what: 'Pages by number on `GET /users`',
    kind: 'parameter',
    since: '16.5',
    removedIn: '17.0',
    note: 'Use `pagination=keyset` with `order_by` and `sort`.'
  },
  'public-download-audit': {
    what: 'The audit event `repository_download_operation` for public projects',
    kind: 'behaviour',
    since: '16.9',
    removedIn: '17.0',
    note: 'Recorded for private and internal projects only; for public ones, system hooks are sent `public_repository_download_operation`.'
  },
  'runner-ip-address-value': {
    what: 'The address in a runner’s `ip_address`',
    kind: 'behaviour',
    removedIn: '17.0',
    note: 'An empty string. The addresses are those of the runner’s managers.'
  },
  'reset-registration-token': {
    what: '`POST /runners/reset_registration_token`, also under `/projects/:id` and `/groups/:id`',
    kind: 'operation',
    since: '15.7',
    removedIn: '18.0',
    note: 'Answers 410. Runners have authentication tokens instead.'
  },
  'registry-tags-offset': {
    what: 'Pages by number in the list of a registry repository’s tags',
    kind: 'parameter',
    since: '16.10',
    removedIn: '18.0',
    note: 'Use `pagination=keyset`.'
  },
  'job-token-outbound-limit': {
    what: '`ci_job_token_scope_enabled` of a project, which limits where the tokens of its jobs may be used',
    kind: 'behaviour',
    since: '15.9',
    removedIn: '18.0',
    note: 'The allowlist for inbound access is always on.'
  },
  'runner-register-command': {
    what: 'Registration tokens of runners: `POST /runners`, and so the registration command, operator and chart',
    kind: 'operation',
    since: '15.6',
    removedIn: '18.0',
    note: 'Answers 410. Create the runner first, and register it with its authentication token.',
    goneReason: createFirst
  },
  'private-profile-null': {
    what: '`null` for `private_profile` when a user is made or changed',
    kind: 'parameter',
    removedIn: 'v5',
    note: 'Treated as the default until then. Send `true` or `false`.'
  },
  'runner-active': {
    what: '`active` of a runner, as a field and as a parameter',
    kind: 'field',
    since: '14.8',
    removedIn: 'v5',
    note: 'Use `paused`, which means the opposite.'
  },
  'runner-status': {
    what: '`active` and `paused` as the status of a runner',
    kind: 'field',
    removedIn: 'v5',
    note: 'A paused runner is `paused` until then. Only `online`, `offline` and `not_connected` are left; whether it is paused is the boolean `paused`.'
  },
  'runner-ip-address': {
    what: '`ip_address` of a runner',
    kind: 'field',
    since: '17.0',
    removedIn: 'v5',
    note: 'Empty already. The addresses are those of the runner’s managers.'
  }
} as const satisfies Record<string, Deprecation>

export type DeprecationName = keyof typeof deprecations
