import { isMapping, type Mapping, valueAt } from '../config/mapping.ts'

/** What a job does instead of a script. */
const actions = ['trigger', 'run']
const withoutEffect = ['dast_configuration', 'id_tokens', 'identity', 'resource_group', 'secrets']

/** A job with such a keyword would end as a success without having done anything, so there is no pipeline with it. */
export function findUnsupported(name: string, keywords: Mapping) {
  return given(keywords, actions).map(key => `jobs:${name}:${key} is not supported: no pipeline with this job can be made`)
}

export function findIgnored(name: string, keywords: Mapping) {
  return given(keywords, withoutEffect).map(key => `jobs:${name}:${key} is not supported and has no effect`)
}

function given(keywords: Mapping, keys: string[]) {
  return keys.filter(key => valueAt(keywords, key) != null && !isEmpty(valueAt(keywords, key)))
}

function isEmpty(value: unknown) {
  return isMapping(value) && Object.keys(value).length === 0
}
