import { hash } from 'node:crypto'
import { isMapping, valueAt } from '../config/mapping.ts'
import type { Job } from '../jobs/job.ts'
import { expandVariables } from '../variables/expand-variables.ts'

const maxLength = 255

/** The name of a job's environment, such as `production` or `review/$CI_COMMIT_REF_SLUG`, with its variables expanded. */
export function environmentOf({ keywords }: Pick<Job, 'keywords'>, variables: Map<string, string>) {
  const given = valueAt(keywords, 'environment')
  const name = isMapping(given) ? valueAt(given, 'name') : given

  if (typeof name !== 'string' || name === '') return undefined

  return expandVariables(name.slice(0, maxLength), variables).slice(0, maxLength)
}

/** As part of a host name: 24 characters; a changed name has a suffix, so that slugs differ as names do. */
export function slugOfEnvironment(name: string) {
  const slug = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')

  if (slug === name && slug.length <= 24 && /^[a-z]/.test(slug)) return slug

  return `${slug.slice(0, 17).replaceAll(/-$/g, '')}-${hash('sha256', name).slice(0, 6)}`
}
