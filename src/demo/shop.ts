/** The group of the demo. */
export const group = 'acme'

export const people = [
  { username: 'mara', name: 'Mara Lindqvist' },
  { username: 'tomas', name: 'Tomás Herrera' },
  { username: 'ines', name: 'Ines Okafor' }
]

export const projects = [
  {
    path: 'storefront',
    name: 'Storefront',
    description: 'The shop in the browser: TypeScript, bundled by esbuild.',
    versions: ['2.4.0', '2.5.0', '2.6.0']
  },
  { path: 'api', name: 'API', description: 'Orders and catalogue: Python and Django.', versions: ['1.17.0', '1.18.0', '1.18.1'] },
  {
    path: 'payments',
    name: 'Payments',
    description: 'Cards, invoices and refunds: Java and Spring.',
    versions: ['5.0.2', '5.1.0', '5.1.1']
  }
] as const

export type ProjectPath = (typeof projects)[number]['path']

/** When the releases of every project went live, in days before now. */
export const releasedDaysAgo = [27, 15, 4] as const

export const dayMs = 86_400_000

/** The release that ran at that time. */
export function releaseAt(path: ProjectPath, daysAgo: number) {
  const { versions } = projects.find(project => project.path === path)!
  const n = releasedDaysAgo.findLastIndex(day => daysAgo <= day)

  return { index: Math.max(n, 0), version: `${path}@${versions[Math.max(n, 0)]}` }
}

export interface Customer {
  id: string
  email: string
  ip_address: string
  geo: { country_code: string; city: string }
}

const firstNames = ['ava', 'liam', 'noor', 'emil', 'sofia', 'jun', 'priya', 'oskar', 'lena', 'mateo', 'yuki', 'hanna', 'omar', 'clara']
const lastNames = ['berg', 'rossi', 'tanaka', 'novak', 'silva', 'khan', 'dubois', 'meyer', 'costa', 'lund', 'ito', 'vega']
const cities = [
  ['DE', 'Berlin'],
  ['FR', 'Lyon'],
  ['ES', 'Valencia'],
  ['PT', 'Porto'],
  ['SE', 'Malmö'],
  ['JP', 'Osaka'],
  ['US', 'Portland']
] as const

export function aCustomer(random: () => number): Customer {
  const n = Math.floor(random() ** 1.6 * 160)
  const [country, city] = cities[n % cities.length]!
  const name = `${firstNames[n % firstNames.length]}.${lastNames[Math.floor(n / 3) % lastNames.length]}`

  return {
    id: String(4100 + n),
    email: `${name}${n % 7 === 0 ? n : ''}@example.com`,
    ip_address: `198.51.100.${1 + (n % 250)}`,
    geo: { country_code: country, city }
  }
}

export function pick<T>(random: () => number, values: readonly T[]): T {
  return values[Math.floor(random() * values.length)]!
}

/** The same shop each time (mulberry32). */
export function seeded(seed: number) {
  let state = seed

  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)

    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed

    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
