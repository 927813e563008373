import { Role } from '../members/member.ts'
import type { Project } from '../project.ts'

/** Whether a user who sees the project sees its code: guests of a private project do not. */
export function canReadCode({ visibility }: Pick<Project, 'visibility'>, role: number) {
  return visibility !== 'private' || role >= Role.reporter
}
