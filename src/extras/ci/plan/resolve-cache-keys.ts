import { createHash } from 'node:crypto'
import type { ConfigFiles } from '../config/config-files.ts'
import { InvalidConfig } from '../config/invalid-config.ts'
import { linesOf } from '../config/lines-of.ts'
import { fromEntries, isMapping, type Mapping, valueAt } from '../config/mapping.ts'
import { matchesPath } from '../config/match-path.ts'
import type { PlanContext } from './context.ts'
import type { PlannedJob } from './planned-job.ts'

/** Replaces each `cache:key:files` by a key that changes with the content of these files. */
export async function resolveCacheKeys(jobs: PlannedJob[], { files, endsAt }: Pick<PlanContext, 'files' | 'endsAt'>) {
  const hashes = new Map<string, string>()

  for (const paths of new Set(jobs.flatMap(({ keywords }) => cachesOf(keywords).flatMap(filesOf)))) {
    if (performance.now() > endsAt) throw new InvalidConfig('The keys of caches take too long to compute: use fewer patterns.')
    hashes.set(paths, await hashOf(files, paths.split('\0')))
  }

  return hashes.size === 0 ? jobs : jobs.map(job => ({ ...job, keywords: withKeys(job.keywords, hashes) }))
}

function cachesOf(keywords: Mapping) {
  return [valueAt(keywords, 'cache') ?? []].flat().filter(isMapping)
}

/** The files that make the key, as one text; none when the key is a text itself. */
function filesOf(cache: Mapping) {
  const files = linesOf(valueAt(valueAt(cache, 'key'), 'files'))

  return files.length === 0 ? [] : [files.map(path => path.replace(/^\.?\//, '')).join('\0')]
}

function withKeys(keywords: Mapping, hashes: Map<string, string>) {
  const caches = cachesOf(keywords).map(cache => {
    const hash = hashes.get(filesOf(cache)[0] ?? '')
    const prefix = valueAt(valueAt(cache, 'key'), 'prefix')

    return hash === undefined ? cache : { ...cache, key: prefix ? `${prefix}-${hash}` : hash }
  })

  return caches.length === 0 ? keywords : fromEntries([...Object.entries(keywords), ['cache', caches]])
}

/** As GitLab has it, `default` when none of the files exists. */
async function hashOf(files: ConfigFiles, paths: string[]) {
  const entries = paths.some(path => path.includes('*')) ? await findEntries(files, paths) : await files.find(paths)
  const ids = [...new Set(entries.map(entry => entry.sha))].sort()

  return ids.length === 0 ? 'default' : createHash('sha1').update(ids.join('-')).digest('hex')
}

async function findEntries(files: ConfigFiles, patterns: string[]) {
  return (await files.list()).filter(({ path }) => patterns.some(pattern => matchesPath(pattern, path)))
}
