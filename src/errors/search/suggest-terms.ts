import { quote } from '#lib/search/split-search.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { levels } from '../groups/group-filter.ts'
import { priorities } from '../groups/priority.ts'
import { findNewestReleases } from '../releases/find-releases.ts'
import { isValues } from './conditions.ts'
import { listEnvironments, listTagNames } from './term-store.ts'

const maxEnvironments = 50

/** Terms to complete a search with: those of the language, and the project's environments and newest releases. */
export async function suggestTerms(em: EntityManager, projectId: number) {
  const [environments, releases, tags] = await Promise.all([
    listEnvironments(em, projectId, maxEnvironments),
    findNewestReleases(em, projectId, 10),
    listTagNames(em, projectId)
  ])

  return [
    ...isValues.map(value => `is:${value}`),
    'assigned:me',
    'assigned:none',
    ...priorities.map(priority => `priority:${priority}`),
    ...levels.map(level => `level:${level}`),
    ...['<1h', '<1d', '>1w'].map(age => `first-seen:${age}`),
    ...['<1h', '<1d', '>1w'].map(age => `last-seen:${age}`),
    ...['events:>100', 'users:>10', 'error.type:', 'message:', 'transaction:', 'file:', 'function:', 'platform:', 'has:', 'release:latest'],
    ...environments.map(environment => `environment:${quote(environment)}`),
    ...releases.map(({ version }) => `release:${quote(version)}`),
    ...tags.map(name => `${name}:`)
  ]
}
