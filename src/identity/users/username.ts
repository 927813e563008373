import { ValidationFailed } from '../../http/problems/problems.ts'
import { problemOfTopLevelPath } from '../../projects/paths/paths.ts'

/** A name is part of addresses: of a person's space, and of the projects in it. */
export function checkUsername(username: string) {
  const problem = problemOfTopLevelPath(username)

  if (problem) throw new ValidationFailed({ username: [problem] })
}
