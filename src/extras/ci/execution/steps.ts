import { linesOf } from '../config/lines-of.ts'
import { valueAt } from '../config/mapping.ts'
import type { Job } from '../jobs/job.ts'

/** What a runner executes, one script after the other. */
export function stepsOf({ keywords }: Pick<Job, 'keywords'>, timeout: number) {
  const lines = (key: string) => linesOf(valueAt(keywords, key)).map(String)
  const script = [...lines('before_script'), ...lines('script')]
  const after = lines('after_script')

  return [
    { name: 'script', script, timeout, when: 'on_success', allow_failure: false },
    ...(after.length > 0 ? [{ name: 'after_script', script: after, timeout, when: 'always', allow_failure: true }] : [])
  ]
}

/** Scripts that run before the repository is fetched. */
export function hooksOf({ keywords }: Pick<Job, 'keywords'>) {
  const script = linesOf(valueAt(valueAt(keywords, 'hooks'), 'pre_get_sources_script')).map(String)

  return script.length > 0 ? [{ name: 'pre_get_sources_script', script }] : []
}
