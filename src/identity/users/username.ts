import { Conflict, ValidationFailed } from '#lib/refusals.ts'
import { PathTaken, topLevelPathError } from '#namespaces/paths.ts'

/** A username is also the path of the user's personal namespace. */
export function checkUsername(username: string) {
  const error = topLevelPathError(username)

  if (error) throw new ValidationFailed({ username: [error] })
}

/** Maps unique violations to a 409. A username must differ from the paths of groups as well. */
export function rethrowTaken(error: unknown): never {
  const { constraint } = error as { constraint?: string }

  if (constraint === 'users_email') throw new EmailTaken()
  if (constraint === 'users_username' || constraint === 'namespaces_full_path' || error instanceof PathTaken) throw new UsernameTaken()
  throw error
}

export class EmailTaken extends Conflict {
  override code = 'email_taken'
  override isSentence = true

  constructor() {
    super('Email has already been taken')
  }
}

class UsernameTaken extends Conflict {
  override code = 'username_taken'
  override isSentence = true

  constructor() {
    super('Username has already been taken')
  }
}
