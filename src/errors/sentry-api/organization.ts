import { sql } from 'kysely'
import type { Viewer } from '#identity/viewer.ts'
import { Forbidden, NotFound } from '#lib/refusals.ts'
import type { EntityManager, Tables } from '#platform/database/database.ts'
import { selectList } from '#platform/database/list.ts'
import { Role } from '#projects/members/member.ts'
import { isVisibleToNonMembers } from '#projects/visibility/is-visible-to-non-members.ts'
import { memberGroupIds } from '#projects/visibility/membership-store.ts'
import { loadOrganization } from './organization-store.ts'

/** Clients replace a slash by U+FFFD, as Sentry's slugs have none. */
export function decodeSlug(slug: string) {
  return slug.replaceAll('\ufffd', '/')
}

/** Requires a role anywhere in the organization. Access to a project is checked when it is named. */
export async function findOrganization(em: EntityManager, user: Viewer, slug: string, minRole: number = Role.developer) {
  const found = await loadOrganization(em, user, decodeSlug(slug))

  if (!found || (!user.isAdmin && found.role === 0 && !isVisibleToNonMembers(user, found.visibility))) throw new NotFound('Organization')
  if (!user.isAdmin && found.role < minRole) throw new Forbidden()

  return found
}

/** The organizations in which the user is a member of anything. */
export async function listOrganizations(em: EntityManager, user: Viewer) {
  const ids = user.isAdmin ? undefined : await memberGroupIds(em, user)
  const organizations = em
    .getKysely<Tables>()
    .selectFrom('namespaces')
    .select(['id', 'name', 'full_path', 'created_at'])
    .$if(ids !== undefined, namespaces => namespaces.where(sql<boolean>`id = ANY (${ids}::bigint[])`))

  return selectList(em, {
    from: organizations,
    load: page => page.execute(),
    keys: [{ sql: 'id', type: 'bigint', of: ({ id }) => id, sort: 'asc' }]
  })
}
