import { byteSize } from '#lib/counted.ts'
import { isEmpty, type Json, lookUp, objectOrEmpty, objectOrUndefined } from '#lib/json.ts'
import { parseTime } from '#lib/time.ts'
import { html } from '#pages/layout/html.ts'
import { ago } from '#pages/layout/time.ts'
import { folded, jsonValue, pairs, section } from './section.ts'

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
  const { type: _, ...shown } = objectOrEmpty(value)
  const content = pairs(shown, contextValue)

  return content && html`<div class="block"><h3>${title}</h3>${content}</div>`
}

const sizes = /^(memory_size|(free|usable|app)_memory|(external_)?(storage_size|free_storage))$/

/** Sizes and times as people read them, with the original in the title. */
function contextValue(name: string, value: unknown) {
  if (typeof value === 'number' && sizes.test(name)) return html`<span title="${value} bytes">${byteSize(value)}</span>`
  const time = typeof value === 'string' && isoTime.test(value) ? parseTime(value) : Number.NaN

  return Number.isNaN(time) ? jsonValue(value) : html`${ago(new Date(time))}`
}

const isoTime = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/

function capitalize(name: string) {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`
}
