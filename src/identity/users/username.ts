import { Problem, ValidationFailed } from '../../http/problems/problems.ts'
import { PathTaken, topLevelPathError } from '../../namespaces/paths.ts'

/** A username is also the path of the user's personal namespace. */
export function checkUsername(username: string) {
  const error = topLevelPathError(username)

  if (error) throw new ValidationFailed({ username: [error] })
}

/** Maps unique violations to a 409. A username must differ from the paths of groups as well. */
export function rethrowTaken(error: unknown): never {
  const { constraint } = error as { constraint?: string }

  if (constraint === 'users_email') throw new Taken('Email')
  if (constraint === 'users_username' || constraint === 'namespaces_full_path' || error instanceof PathTaken) throw new Taken('Username')
  throw error
}

class Taken extends Problem {
  constructor(attribute: 'Email' | 'Username') {
    super(409, { message: `${attribute} has already been taken` })
  }
}
