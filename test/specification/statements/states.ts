import type { Section } from './statement.ts'

export const transitions = {
  title: 'States and transitions',
  statements: {
    'refresh of tokens': 'A valid refresh token gives a new pair, also when the access token has expired; the former pair ends',
    'access token: creation': 'Valid for two hours',
    'access token: revocation': 'With the credentials of its client: 200 and an empty object',
    'alert: resolved': 'An end in the payload resolves the alert with that fingerprint; its incident can be closed with it',
    'alert: repeated': 'The same payload while the alert is open counts one more occurrence',
    'alert: repeated after its end': 'The same payload after the end opens a new alert',
    'alert integration: toggled': 'A disabled integration takes no alerts',
    'error-tracking settings: changed': 'PUT and PATCH set `active`; PUT sets `integrated`',
    'client key: created': 'Active, with a generated key',
    'client key: deleted': 'Gone',
    'storage move: scheduled': 'The repository is read-only until the move ends',
    'storage move: finished': 'The state of a completed move'
  }
} as const satisfies Section
