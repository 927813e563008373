/** The user attributes that guards need. */
export interface Account {
  id: number
  username: string
  name: string
  isAdmin: boolean
  mustChangePassword: boolean
  isActive: () => boolean
}

/** The authenticated user of a request, and the scopes of the credential. */
export interface Caller {
  user: Account
  /** A session has all scopes; `sudo` adds none. */
  scopes: string[] | 'all'
  by: Credential
  /** The admin who acts as this user. */
  sudoer?: Account
}

/** The kind of credential: browser session, password (git only), access token, OAuth access token, or CI job token. */
export type Credential =
  | { kind: 'session' }
  | { kind: 'password' }
  | { kind: 'token'; id: number }
  | { kind: 'oauth'; id: number; applicationId: number | null }
  | { kind: 'job'; projectId: number; jobId: number }
