import { isEmpty, type Json, lookUp, objectOrEmpty, objectOrUndefined } from '#lib/json.ts'
import { html } from '#pages/layout/html.ts'
import { folded, pairs, section } from './section.ts'

const titles: Record<string, string> = { os: 'Operating system', gpu: 'GPU', app: 'App', trace: 'Trace', culture: 'Culture' }

export function userSection({ user }: Json) {
  const content = pairs(objectOrUndefined(user))

  return content && section({ id: 'user', title: 'User' }, content)
}

/** Device, browser and other contexts, extra data, and packages. */
export function contextsSection({ contexts, extra, modules, sdk }: Json) {
  const blocks = [
    ...Object.entries(objectOrEmpty(contexts)).map(([name, context]) => block(lookUp(titles, name) ?? capitalize(name), context)),
    block('Extra data', extra),
    block('SDK', sdk && { name: objectOrEmpty(sdk).name, version: objectOrEmpty(sdk).version })
  ].filter(Boolean)
  const packages = objectOrUndefined(modules)

  if (blocks.length === 0 && !packages) return undefined

  return section(
    { id: 'contexts', title: 'Context' },
    html`
    <div class="blocks">${blocks}</div>
    ${packages && !isEmpty(packages) && folded(`Packages (${Object.keys(packages).length})`, pairs(packages)!)}`
  )
}

function block(title: string, value: unknown) {
  const content = pairs(objectOrUndefined(value), name => name !== 'type')

  return content && html`<div class="block"><h3>${title}</h3>${content}</div>`
}

function capitalize(name: string) {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`
}
