import { DUMP_SCHEMA, dump } from 'js-yaml'
import { answerRequests, type Call } from '#platform/process/answer-requests.ts'
import { parseEntries } from '#repositories/objects/tree-entry.ts'
import type { ConfigFiles } from '../config/config-files.ts'
import { InvalidConfig } from '../config/invalid-config.ts'
import { readConfig } from '../config/read-config.ts'
import type { PlanRequest, PlanResponse } from './ask-planner.ts'
import type { PlanContext } from './context.ts'
import { planPipeline } from './plan-pipeline.ts'
import { resolveCacheKeys } from './resolve-cache-keys.ts'

const maxMilliseconds = 5000

answerRequests<PlanRequest & { content: string }, PlanResponse>(async (request, call) => {
  const { merged, ...response } = await read(request, call)
  const mergedYaml = request.withMergedYaml && merged ? dump(merged, { schema: DUMP_SCHEMA, noRefs: true, lineWidth: -1 }) : undefined

  return { mergedYaml, ...response }
})

async function read({ content, target, withCacheKeys }: PlanRequest & { content: string }, call: Call) {
  const endsAt = performance.now() + maxMilliseconds
  const files = filesOf(call)
  const { merged, ...config } = await readConfig(content, files, target?.variables)

  if (!target || config.errors.length > 0) return { config, merged }
  const context = { ...target, files, endsAt, changedSince: changedSince(call) }

  try {
    const plan = await planPipeline({ ...config, merged }, context)
    const jobs = withCacheKeys ? await resolveCacheKeys(plan.jobs, context) : plan.jobs

    return { config, merged, plan: { ...plan, jobs } }
  } catch (error) {
    if (error instanceof InvalidConfig) return { config: { ...config, errors: error.messages, jobs: [] }, merged }
    throw error
  }
}

/** The list is asked for once: a commit may have many files. */
function filesOf(call: Call): ConfigFiles {
  let entries: ReturnType<ConfigFiles['list']> | undefined

  return {
    read: path => call('read', path) as ReturnType<ConfigFiles['read']>,
    find: paths => call('find', paths) as ReturnType<ConfigFiles['find']>,
    list: () => (entries ??= call('list').then(output => parseEntries(output as Uint8Array)))
  }
}

function changedSince(call: Call): PlanContext['changedSince'] {
  return async revision => {
    const output = (await call('changedSince', revision)) as Uint8Array | undefined

    return output && Buffer.from(output).toString().split('\0').slice(0, -1)
  }
}
