import type { FastifyRequest } from 'fastify'

/** GitLab's filters on data that does not exist here. Ignoring one would return rows that the client excluded. */
const unsupported = [
  {
    list: /\/projects$/,
    filters: [
      'custom_attributes',
      'imported',
      'repository_checksum_failed',
      'topic_id',
      'updated_after',
      'updated_before',
      'wiki_checksum_failed',
      'with_merge_requests_enabled',
      'with_programming_language',
      'with_security_reports'
    ]
  },
  {
    list: /\/(groups|subgroups|descendant_groups)$/,
    filters: ['archived', 'custom_attributes', 'repository_storage']
  },
  {
    list: /\/users$/,
    filters: [
      'auditors',
      'custom_attributes',
      'exclude_active',
      'exclude_external',
      'exclude_humans',
      'exclude_internal',
      'extern_uid',
      'saml_provider_id',
      'two_factor',
      'without_projects'
    ]
  },
  {
    list: /\/issues$/,
    filters: ['epic_id', 'health_status', 'iteration_id', 'iteration_title', 'my_reaction_emoji', 'weight']
  },
  { list: /\/members(\/all)?$/, filters: ['state'] }
]
/** Values that exclude nothing. */
const neutral = new Set(['', 'false', 'none', 'all'])

/** Whether the list is empty because of a filter that nothing can match. */
export function matchesNothing({ query, routeOptions }: FastifyRequest) {
  const { filters = [] } = unsupported.find(({ list }) => list.test(routeOptions.url ?? '')) ?? {}

  return filters.some(name => Object.hasOwn(query as object, name) && !isNeutral((query as Record<string, unknown>)[name]))
}

function isNeutral(value: unknown) {
  return [value].flat().every(item => typeof item === 'string' && neutral.has(item.toLowerCase()))
}
