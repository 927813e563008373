import { Forbidden } from '#lib/refusals.ts'
import { Role } from '#projects/members/member.ts'
import type { Code } from '../find-code.ts'

/** Developers may push; only maintainers may rewrite the default branch. */
export function canPush({ project, role }: Pick<Code, 'project' | 'role'>, branch: string, { isForced = false } = {}) {
  return role >= (isForced && branch === project.defaultBranch ? Role.maintainer : Role.developer)
}

export function checkBranchPush(code: Pick<Code, 'project' | 'role'>, branch: string, options?: { isForced?: boolean }) {
  if (!canPush(code, branch, options)) throw new Forbidden('You are not allowed to push into this branch')
}
