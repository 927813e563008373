export interface Parameters {
  type: 'object'
  properties: Record<string, { description?: string }>
}

/** Adds descriptions to path parameters that have none. */
export function describePathParameters(parameters: Parameters, url: string) {
  return describe(parameters, name => pathDescription(name, url))
}

/** Adds descriptions to common query parameters that have none. */
export function describeQueryParameters(parameters: Parameters) {
  return describe(parameters, name => queryDescriptions.get(name))
}

function describe(parameters: Parameters, descriptionOf: (name: string) => string | undefined) {
  const properties = Object.entries(parameters.properties ?? {}).map(([name, shape]) => [
    name,
    { description: descriptionOf(name), ...shape }
  ])

  return { ...parameters, properties: Object.fromEntries(properties) }
}

function pathDescription(name: string, url: string) {
  const segments = url.split('/')
  const owner = (segments[segments.indexOf(`:${name}`) - 1] ?? '').replace(/ies$/, 'y').replace(/s$/, '').replaceAll('_', ' ')

  if (name === 'id' && /^(project|group)$/.test(owner)) return `The ID or URL-encoded path of the ${owner}.`

  return /^(id|\w+_id)$/.test(name) ? `The ID of the ${owner}.` : `The ${name.replaceAll('_', ' ')} of the ${owner}.`
}

const queryDescriptions = new Map(
  Object.entries({
    cursor: 'Position of the page; taken from a `Link` header.',
    limit: 'Same as `per_page`.',
    page: 'Page number, starting at 1.',
    per_page: 'Items per page, at most 100.',
    order_by: 'Column to order by.',
    sort: 'Sort direction.',
    search: 'Returns only items whose name contains this text.'
  })
)
