import { changeErrors } from '#errors/groups/change-task.ts'
import { purgeProjects } from '#projects/deletion/purge-project.ts'
import type { TaskKind } from '#tasks/task-kind.ts'

/** Every kind of long work. */
export const taskKinds: TaskKind[] = [changeErrors, purgeProjects]
