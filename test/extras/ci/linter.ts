import type { Test } from 'tap'
import { openCodeProject } from '../../git-http/code.ts'

/** A project whose CI configuration is checked. */
export async function openLinter(t: Test, env: Record<string, string> = {}) {
  const world = await openCodeProject(t, {}, { env })
  const path = `/projects/${world.project.id}/ci/lint`

  return {
    ...world,
    /** The file of the repository. */
    lint: (query: string) => world.call('GET', `${path}${query}`),
    /** A text. */
    check: (content: string, more: object = {}) => world.call('POST', path, { content, ...more })
  }
}
