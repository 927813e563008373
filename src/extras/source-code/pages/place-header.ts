import { selectField } from '#pages/layout/field.ts'
import { html } from '#pages/layout/html.ts'
import { listRefs } from '#repositories/objects/list-refs.ts'
import { type CodePlace, placeUrl } from './code-place.ts'

const maxRefs = 200

/** The choice of a branch or tag, and the directories above. */
export async function placeHeader(place: CodePlace) {
  const { repo, ref, path, codeUrl } = place
  const newest = { sort: '-creatordate' }
  const refs = [...(await listRefs(repo, 'refs/heads/', newest)), ...(await listRefs(repo, 'refs/tags/', newest))]
  const names = [...new Set([ref, ...refs.map(({ name }) => name)])].slice(0, maxRefs)

  return html`
    <form class="filter" method="get" action="${codeUrl}">
      ${selectField({ name: 'ref', label: 'Branch or tag', value: ref, options: names.map(name => [name, name]) })}
      <button class="plain">Show</button>
      <a class="button plain" href="${placeUrl(place, 'commits', path)}">History</a>
    </form>
    <p class="trail path">${crumbs(place)}</p>`
}

function crumbs(place: CodePlace) {
  const names = place.path === '' ? [] : place.path.split('/')
  const links = names.map((name, n) => {
    const isLast = n === names.length - 1

    return html` <span aria-hidden="true">/</span> ${isLast ? html`<strong>${name}</strong>` : html`<a href="${placeUrl(place, 'tree', names.slice(0, n + 1).join('/'))}">${name}</a>`}`
  })

  return html`<a href="${placeUrl(place, 'tree')}">${place.project.path}</a>${links}`
}
