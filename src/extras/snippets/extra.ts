import type { Extra } from '#platform/extra.ts'
import { snippets } from './routes.ts'
import { snippetPages } from './snippet-pages.ts'
import { snippetTarget } from './snippet-target.ts'

/** The entity and its repository belong to the core, which moves them between storages. */
export const extra: Extra = {
  name: 'snippets',
  routes: snippets,
  pages: snippetPages,
  gitTargets: [snippetTarget],
  links: { user: [{ path: '/-/snippets', name: 'Snippets' }] }
}
