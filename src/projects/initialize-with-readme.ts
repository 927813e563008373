import type { Viewer } from '#identity/viewer.ts'
import type { Git } from '#platform/git/git.ts'
import { createWithReadme } from '#repositories/create-with-readme.ts'
import type { Project } from './project.ts'

/** A repository whose README says the name and the description of the project. */
export function initializeWithReadme(
  git: Git,
  storage: string,
  { name, description, defaultBranch }: Project,
  { name: author, email }: Viewer
) {
  const readme = [`# ${name}`, description].filter(Boolean).join('\n\n')

  return createWithReadme(git, { storage, branch: defaultBranch, readme: `${readme}\n`, author: { name: author, email } })
}
