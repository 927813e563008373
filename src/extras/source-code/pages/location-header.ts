import { selectField } from '#pages/layout/field.ts'
import { html } from '#pages/layout/html.ts'
import { listRefs } from '#repositories/objects/list-refs.ts'
import { type CodeLocation, locationUrl } from './code-location.ts'

const maxRefs = 200

/** The choice of a branch or tag, and the directories above. */
export async function locationHeader(location: CodeLocation) {
  const { repo, ref, path, codeUrl } = location
  const newest = { sort: '-creatordate' }
  const refs = [...(await listRefs(repo, 'refs/heads/', newest)), ...(await listRefs(repo, 'refs/tags/', newest))]
  const names = [...new Set([ref, ...refs.map(({ name }) => name)])].slice(0, maxRefs)

  return html`
    <form class="filter" method="get" action="${codeUrl}">
      ${selectField({ name: 'ref', label: 'Branch or tag', value: ref, options: names.map(name => [name, name]) })}
      <button class="plain">Show</button>
      <a class="button plain" href="${locationUrl(location, 'commits', path)}">History</a>
    </form>
    <p class="trail path">${crumbs(location)}</p>`
}

function crumbs(location: CodeLocation) {
  const names = location.path === '' ? [] : location.path.split('/')
  const links = names.map((name, n) => {
    const isLast = n === names.length - 1

    return html` <span aria-hidden="true">/</span> ${isLast ? html`<strong>${name}</strong>` : html`<a href="${locationUrl(location, 'tree', names.slice(0, n + 1).join('/'))}">${name}</a>`}`
  })

  return html`<a href="${locationUrl(location, 'tree')}">${location.project.path}</a>${links}`
}
