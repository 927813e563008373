import type { GitDirectory } from '../../platform/git/git-directory.ts'
import { GitOutputTooLarge } from '../../platform/git/git-errors.ts'
import { languageOf } from './language-of.ts'

/** About 100,000 files. */
const maxBytes = 10_485_760

/** The languages of a commit's files, with their share of the bytes in percent, largest first. Empty for a tree that is too large to count. */
export async function readLanguages(repo: GitDirectory, sha: string): Promise<Record<string, number>> {
  const sizes = new Map<string, number>()
  const lines = (await listFiles(repo, sha)).toString().split('\0')

  for (const line of lines) {
    const { size, path } = /^100\d+ blob [0-9a-f]+ +(?<size>\d+)\t(?<path>.*)$/s.exec(line)?.groups ?? {}
    const language = path && languageOf(path)

    if (language) sizes.set(language, (sizes.get(language) ?? 0) + Number(size))
  }
  const total = sizes.values().reduce((sum, size) => sum + size, 0)
  const shares = [...sizes].sort(([, one], [, other]) => other - one).map(([language, size]) => [language, percent(size, total)] as const)

  return Object.fromEntries(shares.filter(([, share]) => share > 0))
}

async function listFiles(repo: GitDirectory, sha: string) {
  try {
    return await repo.run(['ls-tree', '-r', '-l', '-z', '--full-tree', sha], { maxBytes })
  } catch (error) {
    if (error instanceof GitOutputTooLarge) return Buffer.alloc(0)
    throw error
  }
}

function percent(size: number, total: number) {
  return total === 0 ? 0 : Math.round((size / total) * 10_000) / 100
}
