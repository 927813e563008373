import type { Extra } from '#platform/extra.ts'
import { Role } from '#projects/members/member.ts'
import { commitUrl, fileUrl } from './pages/code-location.ts'
import { codePages } from './pages/routes.ts'
import { sourceCode } from './routes.ts'

/** Browsing and changing code over the REST API and in pages. Git over HTTP belongs to the core. */
export const extra: Extra = {
  name: 'source-code',
  routes: sourceCode,
  pages: codePages,
  fileUrl,
  commitUrl,
  links: { code: [{ path: 'code', name: 'Files', role: Role.reporter }] }
}
