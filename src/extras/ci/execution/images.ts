import { linesOf } from '../config/lines-of.ts'
import { isMapping, type Mapping, valueAt } from '../config/mapping.ts'
import type { Job } from '../jobs/job.ts'

type Keywords = Pick<Job, 'keywords'>

/** The container of a job. Without one, a runner uses its own default. */
export function imageOf({ keywords }: Keywords) {
  const image = valueAt(keywords, 'image')

  return image == null ? null : presentImage(image)
}

/** Containers that run beside the job. */
export function servicesOf({ keywords }: Keywords) {
  const services = valueAt(keywords, 'services')

  return (Array.isArray(services) ? services : []).map(presentImage)
}

function presentImage(given: unknown) {
  const image: Mapping = isMapping(given) ? given : { name: String(given) }
  const options = Object.fromEntries(['docker', 'kubernetes'].flatMap(kind => (kind in image ? [[kind, image[kind]]] : [])))

  return {
    name: String(valueAt(image, 'name')),
    alias: valueAt(image, 'alias') ?? null,
    entrypoint: listAt(image, 'entrypoint'),
    command: listAt(image, 'command'),
    pull_policy: listAt(image, 'pull_policy') ?? [],
    executor_opts: options,
    ports: [],
    variables: Object.entries((valueAt(image, 'variables') as Mapping | undefined) ?? {}).map(([key, value]) => ({
      ...{ key, value: String(isMapping(value) ? valueAt(value, 'value') : value) },
      ...{ public: true, masked: false, file: false, raw: false }
    }))
  }
}

function listAt(image: Mapping, key: string) {
  const value = valueAt(image, key)

  return value == null ? null : linesOf(value).map(String)
}
