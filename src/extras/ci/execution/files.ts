import { lookUp } from '#lib/json.ts'
import { linesOf } from '../config/lines-of.ts'
import { isMapping, type Mapping, valueAt } from '../config/mapping.ts'
import type { Job } from '../jobs/job.ts'

type Keywords = Pick<Job, 'keywords'>

/** What a runner uploads when the script has ended: an archive of the paths, and a file for each kind of report. */
export function artifactsOf({ keywords }: Keywords) {
  const artifacts = valueAt(keywords, 'artifacts')
  const expiry = valueAt(artifacts, 'expire_in') ?? null
  const paths = textsAt(artifacts, 'paths')
  const untracked = valueAt(artifacts, 'untracked') === true
  const reports = Object.entries((valueAt(artifacts, 'reports') as Mapping | undefined) ?? {})

  return [
    ...(paths.length > 0 || untracked
      ? [
          {
            name: valueAt(artifacts, 'name') ?? 'artifacts',
            ...{ untracked, paths, exclude: textsAt(artifacts, 'exclude') },
            when: valueAt(artifacts, 'when') ?? 'on_success',
            expire_in: expiry,
            ...{ artifact_type: 'archive', artifact_format: 'zip' }
          }
        ]
      : []),
    ...reports.map(([type, given]) => ({
      name: lookUp(reportNames, type) ?? `${type}.json`,
      paths: linesOf(isMapping(given) ? valueAt(given, 'path') : given).map(String),
      when: 'always',
      expire_in: expiry,
      artifact_type: isMapping(given) ? `${valueAt(given, 'coverage_format')}` : type,
      artifact_format: 'gzip'
    }))
  ]
}

const reportNames: Record<string, string> = { junit: 'junit.xml', coverage_report: 'cobertura-coverage.xml', dotenv: '.env' }

/** What a runner keeps from one job to the next. Branches that anyone may push to change no cache of the default branch. */
export function cachesOf({ keywords }: Keywords, isProtected: boolean) {
  return [valueAt(keywords, 'cache') ?? []]
    .flat()
    .filter(isMapping)
    .map(cache => {
      const suffix = isProtected && valueAt(cache, 'unprotect') !== true ? 'protected' : 'non_protected'

      return {
        key: `${keyOf(valueAt(cache, 'key'))}-${suffix}`,
        untracked: valueAt(cache, 'untracked') === true,
        policy: valueAt(cache, 'policy') ?? 'pull-push',
        paths: textsAt(cache, 'paths'),
        when: valueAt(cache, 'when') ?? 'on_success',
        fallback_keys: textsAt(cache, 'fallback_keys').map(key => `${key}-${suffix}`)
      }
    })
}

/** The pipeline has replaced `key:files`, except in jobs from before it did. */
function keyOf(key: unknown) {
  return String((isMapping(key) ? valueAt(key, 'prefix') : key) ?? 'default')
}

function textsAt(mapping: unknown, key: string) {
  return linesOf(valueAt(mapping, key)).map(String)
}
