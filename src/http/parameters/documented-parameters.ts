export interface Parameters {
  type: 'object'
  properties: Record<string, { description?: string }>
}

/** Fills in what a route did not say of the parameters in its path. */
export function explainPath(parameters: Parameters, url: string) {
  return explain(parameters, name => meaningInPath(name, url))
}

/** The same for its query, as far as parameters mean the same everywhere. */
export function explainQuery(parameters: Parameters) {
  return explain(parameters, name => meaningsInQuery[name])
}

function explain(parameters: Parameters, meaning: (name: string) => string | undefined) {
  const properties = Object.entries(parameters.properties ?? {}).map(([name, shape]) => [name, { description: meaning(name), ...shape }])

  return { ...parameters, properties: Object.fromEntries(properties) }
}

function meaningInPath(name: string, url: string) {
  const segments = url.split('/')
  const owner = (segments[segments.indexOf(`:${name}`) - 1] ?? '').replace(/ies$/, 'y').replace(/s$/, '').replaceAll('_', ' ')

  if (name === 'id' && /^(project|group)$/.test(owner)) return `The ${owner}, by its id or its encoded path.`

  return /^(id|\w+_id)$/.test(name) ? `The id of the ${owner}.` : `The ${name.replaceAll('_', ' ')} of the ${owner}.`
}

const meaningsInQuery: Record<string, string | undefined> = {
  cursor: 'Where the previous page ended; taken from its `Link`.',
  limit: 'The same as `per_page`.',
  page: 'The page, from 1.',
  per_page: 'Rows on a page; at most 100.',
  order_by: 'What the rows are ordered by.',
  sort: 'Which way they are ordered.',
  search: 'Only those whose names contain this.'
}
