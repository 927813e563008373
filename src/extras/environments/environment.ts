import { hash } from 'node:crypto'
import { defineEntity, p } from '@mikro-orm/core'
import type { InferKyselyDB } from '@mikro-orm/postgresql'
import { updatedAt } from '#platform/database/updated-at.ts'
import { guessTier, type Tier } from './tier.ts'

export const environmentStates = ['available', 'stopping', 'stopped'] as const
export type EnvironmentState = (typeof environmentStates)[number]

export const EnvironmentSchema = defineEntity({
  name: 'Environment',
  tableName: 'environments',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    projectId: p.bigint('number'),
    name: p.text(),
    slug: p.text(),
    description: p.text().nullable(),
    externalUrl: p.text().nullable(),
    tier: p.text().$type<Tier>(),
    state: p.text().$type<EnvironmentState>().default('available'),
    /** The row of a deleted environment stays, because stored errors name it and would list it again. */
    deletedAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3).onCreate(() => new Date()),
    updatedAt: updatedAt()
  }
})

declare module '#platform/database/database.ts' {
  interface Tables extends InferKyselyDB<typeof EnvironmentSchema> {}
}

/** Where a program runs, such as `production` or `review/login`. */
export class Environment extends EnvironmentSchema.class {}

EnvironmentSchema.setClass(Environment)

/** What follows from the name. */
export function describeEnvironment(name: string) {
  return { name, slug: slugOf(name), tier: guessTier(name) }
}

const maxLength = 24
const suffixLength = 6

/** GitLab's slug of an environment: a DNS label of at most 24 characters. A changed name gets a suffix that depends on the name. */
function slugOf(name: string) {
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
