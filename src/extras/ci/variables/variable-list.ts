import type { FastifyReply } from 'fastify'
import { html } from '#pages/layout/html.ts'
import type { OwnerContext } from '#pages/namespaces/owner-context.ts'
import { columnsOf } from '#projects/owner.ts'
import { maxVariables } from './change-variable.ts'
import { CiVariable } from './variable.ts'

const leads = {
  project: 'Jobs in this project receive these variables.',
  group: 'Jobs in the projects of this group and its subgroups receive these variables.',
  system: 'All jobs in this installation receive these variables.'
}

export async function showVariables(reply: FastifyReply, context: OwnerContext) {
  const { em, owner, url } = context
  const variables = await em.find(CiVariable, columnsOf(owner), { orderBy: { key: 'asc', id: 'asc' }, limit: maxVariables })
  const button = html`<a class="button" href="${url}/new">New variable</a>`

  return context.show(
    reply,
    'CI variables',
    html`
    <div class="heading"><h1>CI variables</h1>${variables.length > 0 && button}</div>
    <p class="lead">${leads[owner.kind]} Keep passwords and tokens here instead of in <code>.gitlab-ci.yml</code>; they are stored encrypted.</p>
    ${variables.length > 0 ? html`<ul class="rows">${variables.map(variable => row(variable, url))}</ul>` : html`<div class="empty"><p>There are no variables yet.</p><p>${button}</p></div>`}`
  )
}

function row({ id, key, description, environmentScope, type, isHidden, isMasked, isProtected }: CiVariable, url: string) {
  const marks = [
    ...(type === 'file' ? ['file'] : []),
    ...(isHidden ? ['hidden'] : isMasked ? ['masked'] : []),
    ...(isProtected ? ['protected'] : [])
  ]

  return html`
    <li>
      <div>
        <p><a href="${url}/${id}"><strong>${key}</strong></a>${marks.map(mark => html` <span class="badge">${mark}</span>`)}</p>
        <p class="hint">${environmentScope === '*' ? 'All environments' : html`Environments: <code>${environmentScope}</code>`}${description && html` · ${description}`}</p>
      </div>
    </li>`
}
