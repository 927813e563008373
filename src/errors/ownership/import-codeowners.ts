import type { EntityManager } from '#platform/database/database.ts'
import type { Git } from '#platform/git/git.ts'
import { GitDirectory } from '#platform/git/git-directory.ts'
import type { Project } from '#projects/project.ts'
import { findRepository } from '#repositories/find-repository.ts'
import { readEntries } from '#repositories/objects/read-entries.ts'
import { resolveCommit } from '#repositories/objects/resolve.ts'
import { openRepository } from '#repositories/open-repository.ts'
import { maxCodeownersLength, readCodeowners, toMatcher } from './codeowners.ts'
import { describeUnknown, type LineProblem, readRules } from './owner-rules.ts'
import { findOwners } from './owner-store.ts'

const begin = '# From CODEOWNERS. The next import replaces these lines.'
const end = '# End of CODEOWNERS'

/** The rules of a project with those of a CODEOWNERS file before them, so that rules written here win, and what could not be taken. */
export async function mergeCodeowners(em: EntityManager, projectId: number, content: string, existing: string) {
  const { entries, problems } = readCodeowners(content)
  const skipped: LineProblem[] = [...problems]
  const lines: string[] = []
  const found = await findOwners(
    em,
    projectId,
    entries.flatMap(({ owners }) => owners)
  )

  for (const { line, pattern, owners } of entries) {
    const known = owners.filter(owner => found.has(owner.toLowerCase()))

    skipped.push(...owners.filter(owner => !known.includes(owner)).map(owner => ({ line, text: describeUnknown(owner) })))
    if (known.length === 0) continue
    const rule = [toMatcher(pattern), ...known].join(' ')
    const [problem] = readRules(rule).problems

    if (problem) skipped.push({ line, text: problem.text })
    else lines.push(rule)
  }

  return {
    rules: [...(lines.length > 0 ? [begin, ...lines, end] : []), withoutImported(existing)].filter(Boolean).join('\n'),
    imported: lines.length,
    skipped: skipped.toSorted((a, b) => a.line - b.line)
  }
}

function withoutImported(rules: string) {
  const lines = rules.split('\n')
  const [from, to] = [lines.indexOf(begin), lines.indexOf(end)]

  return (from === -1 || to < from ? lines : lines.toSpliced(from, to - from + 1)).join('\n')
}

const places = ['CODEOWNERS', '.github/CODEOWNERS', '.gitlab/CODEOWNERS', 'docs/CODEOWNERS']

/** The CODEOWNERS file of the project's own repository, on its default branch. Undefined when there is none, or it is too large. */
export async function findCodeowners(em: EntityManager, git: Git, { id: projectId, defaultBranch }: Project) {
  const directory = await openRepository(git, await findRepository(em, { projectId }))
  const repo = directory === undefined ? undefined : new GitDirectory(git, directory)
  const commit = await resolveCommit(repo, `refs/heads/${defaultBranch}`)
  const entries = repo && commit ? await readEntries(repo, commit, places) : []
  const entry = places.map(place => entries.find(({ path, type }) => path === place && type === 'blob')).find(Boolean)

  if (!repo || !entry || Number(await repo.text(['cat-file', '-s', entry.sha])) > maxCodeownersLength) return undefined
  const content = await repo.run(['cat-file', 'blob', entry.sha], { maxBytes: maxCodeownersLength + 1 })

  return content.toString('utf8')
}
