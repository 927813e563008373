export interface PageAddress {
  /** Path of the project. */
  path: string
  /** Below the pages of the project. */
  rest: string
}

/** GitLab's names of lists, and ours. */
const lists: Record<string, string> = {
  alert_management: 'alerts',
  container_registry: 'packages',
  error_tracking: 'errors',
  hooks: 'hooks',
  incidents: 'incidents',
  issues: 'issues',
  jobs: 'pipelines',
  packages: 'packages',
  pipelines: 'pipelines',
  project_members: 'members',
  releases: 'releases',
  'settings/ci_cd': 'variables'
}

/** Members of lists, and places in the code. */
const things: [RegExp, string][] = [
  [/^(?:tree|blob|raw|commits|commit)\/./, 'code/$&'],
  [/^(?:pipelines|jobs|packages)\/./, '$&'],
  [/^(?:issues|incidents)\/(?:new|\d{1,15})$/, '$&'],
  [/^issues\/incident\/(\d{1,15})$/, 'incidents/$1'],
  [/^alert_management\/(\d{1,15})(?:\/details)?$/, 'alerts/$1'],
  [/^error_tracking\/(\d{1,15})(?:\/details)?$/, 'errors/$1']
]

/** The page of a project at GitLab's address for it, such as `/group/shop/-/tree/main`. */
export function readPageAddress(address: string): PageAddress | undefined {
  const at = address.indexOf('/-/')
  const path = address.slice(1, at)

  if (at < 1 || !path.includes('/')) return undefined
  const rest = pageAt(address.slice(at + 3).replace(/\/$/, ''))

  return rest === undefined ? undefined : { path, rest }
}

function pageAt(name: string) {
  if (Object.hasOwn(lists, name)) return lists[name]
  const [pattern, page] = things.find(([pattern]) => pattern.test(name)) ?? []

  return pattern && name.replace(pattern, page!)
}
