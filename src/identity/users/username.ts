import { ValidationFailed } from '../../http/problems/problems.ts'
import { topLevelPathError } from '../../namespaces/paths.ts'

/** A name is part of addresses: of a person's space, and of the projects in it. */
export function checkUsername(username: string) {
  const problem = topLevelPathError(username)

  if (problem) throw new ValidationFailed({ username: [problem] })
}
