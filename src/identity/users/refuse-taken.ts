import { Problem } from '../../http/problems/problems.ts'
import { PathTaken } from '../../namespaces/paths.ts'

class Taken extends Problem {
  constructor(attribute: 'Email' | 'Username') {
    super(409, { message: `${attribute} has already been taken` })
  }
}

/** Two may want the same at once; only the database knows who was first. A group's path counts as a name, too. */
export function refuseTaken(error: unknown): never {
  const { constraint } = error as { constraint?: string }

  if (constraint === 'users_email') throw new Taken('Email')
  if (constraint === 'users_username' || constraint === 'namespaces_full_path' || error instanceof PathTaken) throw new Taken('Username')
  throw error
}
