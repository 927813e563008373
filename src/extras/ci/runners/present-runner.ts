import type { User } from '#identity/users/user.ts'
import { isRemoved, type Version } from '#lib/deprecations/stages.ts'
import type { Namespace } from '#namespaces/namespace.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { presentPerson } from '#projects/present-project.ts'
import type { Project } from '#projects/project.ts'
import type { Runner } from './runner.ts'
import { findBusy } from './runner-store.ts'

interface Owners {
  projects: Pick<Project, 'id' | 'name' | 'path' | 'fullPath'>[]
  groups: Pick<Namespace, 'id' | 'name' | 'fullPath'>[]
}

interface RunnerView {
  config: Version & { baseUrl: string }
  at: Date
  /** Whether it runs a job now. */
  isBusy: boolean
}

export async function presentRunners(em: EntityManager, config: RunnerView['config'], runners: Runner[]) {
  const at = new Date()
  const busy = await findBusy(
    em,
    runners.map(({ id }) => id)
  )

  return runners.map(runner => presentRunner(runner, { config, at, isBusy: busy.has(runner.id) }))
}

function presentRunner(runner: Runner, { config, at, isBusy }: RunnerView) {
  const status = runner.statusAt(at)

  return {
    id: runner.id,
    description: runner.description ?? null,
    ip_address: isRemoved(config, 'runner-ip-address-value') ? '' : (runner.ipAddress ?? null),
    active: !runner.isPaused,
    paused: runner.isPaused,
    is_shared: runner.type === 'instance_type',
    runner_type: runner.type,
    name: runner.info.name ?? null,
    online: runner.contactedAt ? status === 'online' : null,
    created_by: runner.creator ? presentPerson(runner.creator as User, config.baseUrl) : null,
    created_at: runner.createdAt.toISOString(),
    status: runner.isPaused ? 'paused' : status,
    job_execution_status: isBusy ? ('active' as const) : ('idle' as const)
  }
}

/** With its projects and groups, as far as the viewer may know of them. */
export async function presentDetailedRunner(em: EntityManager, config: RunnerView['config'], runner: Runner, owners: Owners) {
  const [shown] = await presentRunners(em, config, [runner])
  const { version = null, revision = null, platform = null, architecture = null } = runner.info

  return {
    ...shown!,
    tag_list: runner.tags,
    run_untagged: runner.runsUntagged,
    locked: runner.isLocked,
    maximum_timeout: runner.maximumTimeout ?? null,
    access_level: runner.accessLevel,
    ...{ version, revision, platform, architecture },
    contacted_at: runner.contactedAt?.toISOString() ?? null,
    maintenance_note: runner.maintenanceNote ?? null,
    projects: owners.projects.map(({ id, name, path, fullPath }) => ({
      ...{ id, name, path },
      name_with_namespace: name,
      path_with_namespace: fullPath
    })),
    groups: owners.groups.map(({ id, name, fullPath }) => ({ id, name, web_url: `${config.baseUrl}/groups/${fullPath}` }))
  }
}
