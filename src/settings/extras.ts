/** The extras, each with the extras that it needs. */
export const extraNames = {
  ci: ['source-code', 'webhooks'],
  environments: [],
  'feature-flags': [],
  packages: ['ci', 'registry', 'source-code', 'webhooks'],
  planning: [],
  registry: [],
  snippets: ['source-code'],
  'source-code': [],
  webhooks: []
} as const satisfies Record<string, string[]>

export type ExtraName = keyof typeof extraNames

const all = Object.keys(extraNames) as ExtraName[]

/** Parses `all`, `none` or names, and adds the extras that these need. Undefined if a name is unknown. */
export function parseExtras(text: string): ExtraName[] | undefined {
  if (text === 'all') return all
  if (text === 'none') return []
  const names = text.split(',').map(name => name.trim()) as ExtraName[]

  if (!names.every(name => Object.hasOwn(extraNames, name))) return undefined

  return all.filter(name => names.some(one => one === name || (extraNames[one] as readonly string[]).includes(name)))
}
