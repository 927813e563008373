import { Role } from '#projects/members/member.ts'
import { cloneUrl } from '#projects/present-project.ts'
import { canReadCode } from '#projects/visibility/can-read-code.ts'
import { html } from '../layout/html.ts'
import { copyBlock } from '../setup/copy-block.ts'
import type { PageContext } from './page-context.ts'

/** A menu beside the name of the project, for those who see its code. */
export function cloneMenu(context: PageContext) {
  if (!canReadCode(context.project, context.role)) return undefined

  return html`
    <details class="level-menu">
      <summary class="button plain small">Clone</summary>
      <div>${cloneBlock(context)}</div>
    </details>`
}

export function cloneSection(context: PageContext) {
  if (!canReadCode(context.project, context.role)) return undefined

  return html`
    <h2>Repository</h2>
    <p>${context.role >= Role.developer ? 'Clone and push' : 'Clone'} with your username and a personal access token as password.</p>
    ${cloneBlock(context)}`
}

function cloneBlock({ project, admin }: PageContext) {
  return copyBlock({ id: 'clone-url', name: 'Clone with HTTPS', text: cloneUrl(project.fullPath, admin.config.baseUrl) })
}
