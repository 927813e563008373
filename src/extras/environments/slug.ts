import { hash } from 'node:crypto'

const maxLength = 24
const suffixLength = 6

/** GitLab's slug of an environment: a DNS label of at most 24 characters. A changed name gets a suffix that depends on the name. */
export function slugOf(name: string) {
  const plain = name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')
  const slug = /^[a-z]/.test(plain) ? plain : `env-${plain}`.replace('--', '-')

  if (slug === name && slug.length <= maxLength && !slug.endsWith('-')) return slug
  const start = slug.slice(0, maxLength - suffixLength - 1)

  return `${start}${start.endsWith('-') ? '' : '-'}${suffixOf(name)}`
}

function suffixOf(name: string) {
  return BigInt(`0x${hash('sha256', name)}`)
    .toString(36)
    .slice(-suffixLength)
}
