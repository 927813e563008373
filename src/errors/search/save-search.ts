import type { Viewer } from '#identity/viewer.ts'
import { ValidationFailed } from '#lib/refusals.ts'
import { SearchProblem } from '#lib/search/split-search.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { lockForChange } from '#platform/database/lock-for-change.ts'
import { lockRow } from '#platform/database/locks.ts'
import type { Sort } from '../groups/group-filter.ts'
import { readSearch } from './read-search.ts'
import { SavedSearch } from './saved-search.ts'
import { searchContext } from './search-context.ts'

export interface SearchValues {
  name: string
  query: string
  sort: Sort
  /** For all developers of the project. */
  isShared: boolean
}

interface Owner {
  projectId: number
  viewer: Viewer
}

/** Each user's, and each project's shared ones. */
const maxSearches = 50
const maxNameLength = 50

/** A user's searches in a project, and those of everyone. */
export function searchesOf({ projectId, viewer }: Owner) {
  return { projectId, $or: [{ userId: viewer.id }, { userId: null }] }
}

export function listSavedSearches(em: EntityManager, owner: Owner) {
  return em.find(SavedSearch, searchesOf(owner), { orderBy: { name: 'asc', id: 'asc' }, limit: 2 * maxSearches })
}

/** Saves a search under a name that is not taken. */
export async function createSearch(em: EntityManager, owner: Owner, values: SearchValues) {
  await validate(em, owner, values)

  return em.transactional(async em => {
    await lockRow(em, 'projects', owner.projectId)

    return insert(em, owner, values)
  })
}

/** Saves a search. One of the same owner with its name is replaced. */
export async function replaceSearch(em: EntityManager, owner: Owner, values: SearchValues) {
  await validate(em, owner, values)

  return em.transactional(async em => {
    await lockRow(em, 'projects', owner.projectId)
    const existing = await em.findOne(SavedSearch, { ...ownerOf(owner, values), name: values.name })

    return existing ? em.assign(existing, toColumns(owner, values)) : insert(em, owner, values)
  })
}

/** Undefined values stay unchanged. */
export async function changeSearch(em: EntityManager, owner: Owner, search: SavedSearch, changes: Partial<SearchValues>) {
  await em.transactional(async em => {
    await lockRow(em, 'projects', owner.projectId)
    await lockForChange(em, search)
    const { name, query, sort, userId } = search
    const { name: newName = name, query: newQuery = query, sort: newSort = sort, isShared = userId === null } = changes
    const values = { name: newName, query: newQuery, sort: newSort, isShared }

    await validate(em, owner, values)
    if (newName !== name || isShared !== (userId === null)) await checkFree(em, owner, values)
    em.assign(search, toColumns(owner, values))
  })
}

export function deleteSearch(em: EntityManager, search: SavedSearch) {
  return em.transactional(async em => {
    await lockForChange(em, search)
    em.remove(search)
  })
}

async function insert(em: EntityManager, owner: Owner, values: SearchValues) {
  await checkFree(em, owner, values)
  const search = em.create(SavedSearch, toColumns(owner, values))

  await em.flush()

  return search
}

async function validate(em: EntityManager, owner: Owner, { name, query }: SearchValues) {
  if (name === '') throw new ValidationFailed({ name: ['the name is missing'] })
  if (name.length > maxNameLength) throw new ValidationFailed({ name: [`the name is too long (at most ${maxNameLength} characters)`] })
  try {
    await readSearch(query, searchContext(em, owner, new Date()))
  } catch (error) {
    throw error instanceof SearchProblem ? new ValidationFailed({ query: [error.message] }) : error
  }
}

/** Within a transaction that has locked the project. */
async function checkFree(em: EntityManager, owner: Owner, values: SearchValues) {
  const mine = ownerOf(owner, values)

  if ((await em.count(SavedSearch, { ...mine, name: values.name })) > 0) throw new ValidationFailed({ name: ['has already been taken'] })
  if ((await em.count(SavedSearch, mine)) >= maxSearches)
    throw new ValidationFailed({ name: [`there are ${maxSearches} saved searches already`] })
}

function toColumns(owner: Owner, { name, query, sort, isShared }: SearchValues) {
  return { ...ownerOf(owner, { isShared }), name, query, sort }
}

function ownerOf({ projectId, viewer }: Owner, { isShared }: Pick<SearchValues, 'isShared'>) {
  return { projectId, userId: isShared ? null : viewer.id }
}
