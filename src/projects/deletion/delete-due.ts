import { Namespace } from '#namespaces/namespace.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { Project } from '../project.ts'
import { DeletionRefused, type Marked, readDeletionPeriod } from './decide-deletion.ts'
import { deleteGroup, deleteProject } from './delete-project.ts'
import { findMarked } from './mark-store.ts'
import type { DeletionDeps } from './purge-project.ts'

const dayMs = 86_400_000
/** Limit per run; the next one continues. */
const limit = 500
const system = { ip: '127.0.0.1' }

interface Deps extends DeletionDeps {
  fork: () => EntityManager
  signal: AbortSignal
}

/** Deletes what was marked for the period, each in its own transaction. Can be interrupted and repeated. */
export async function deleteDue(deps: Deps, at: Date) {
  const until = new Date(at.getTime() - (await readDeletionPeriod(deps.fork())) * dayMs)

  await deleteEach(deps, 'namespaces', until, async (em, id) => {
    const group = await em.findOne(Namespace, { id })

    if (group) await deleteGroup(em, deps, group, system, marked => checkDue('group', marked, until))
  })
  await deleteEach(deps, 'projects', until, async (em, id) => {
    const project = await em.findOne(Project, { id })

    if (project) await deleteProject(em, deps, project, system, marked => checkDue('project', marked, until))
  })
}

/** One that cannot be deleted does not hold up the others. */
async function deleteEach(
  { fork, log, signal }: Deps,
  table: 'namespaces' | 'projects',
  until: Date,
  remove: (em: EntityManager, id: number) => Promise<void>
) {
  for (const id of await findMarked(fork(), table, until, limit)) {
    if (signal.aborted) return
    await remove(fork(), id).catch(error => {
      if (!(error instanceof DeletionRefused)) log.error({ err: error, table, id }, 'failed to delete what is marked for deletion')
    })
  }
}

/** It may have been restored meanwhile. */
function checkDue(noun: 'project' | 'group', { markedForDeletionAt: at }: Marked, until: Date) {
  if (!at || at > until) throw new DeletionRefused(noun, 'is not to be deleted yet')
}
