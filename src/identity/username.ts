import { ValidationFailed } from '../http/problems.ts'

/** Names that stand at the beginning of addresses of ours: whoever had one would own what lies below it. */
const reserved = new Set([
  '-',
  '.well-known',
  'admin',
  'api',
  'assets',
  'dashboard',
  'errortracking',
  'explore',
  'groups',
  'help',
  'import',
  'login',
  'oauth',
  'profile',
  'projects',
  'public',
  'robots.txt',
  'search',
  'settings',
  'snippets',
  'uploads',
  'users'
])

/** A name is part of addresses: of a person's space, and of the projects in it. */
export function checkUsername(username: string) {
  if (!/^[A-Za-z0-9_.][A-Za-z0-9_.-]{0,253}$/.test(username) || /[.-]$|\.(git|atom)$/i.test(username)) {
    throw new ValidationFailed({
      username: ["can contain only letters, digits, '_', '-' and '.', cannot start with '-' and cannot end in '-', '.', '.git' or '.atom'"]
    })
  }
  if (reserved.has(username.toLowerCase())) throw new ValidationFailed({ username: ['is a reserved name'] })
}
