import { storableText } from '#lib/storable-text.ts'
import type { Git } from '#platform/git/git.ts'
import { GitFailed, GitOutputTooLarge } from '#platform/git/git-errors.ts'

export interface Measures {
  sizeBytes: number
  /** The name of the file in the default branch. */
  readme: string | undefined
}

export async function measureRepository(git: Git, directory: string, branch: string): Promise<Measures> {
  const find = async (args: string[]) => {
    try {
      return await git.text(directory, args)
    } catch (error) {
      if (error instanceof GitFailed || error instanceof GitOutputTooLarge) return undefined
      throw error
    }
  }
  const objects = (await find(['count-objects', '-v'])) ?? ''
  const names = await find(['ls-tree', '-z', '--name-only', branch])

  return { sizeBytes: sizeOf(objects) * 1024, readme: names && readmeIn(names.split('\0')) }
}

/** In KiB. */
function sizeOf(objects: string) {
  return [...objects.matchAll(/^size(?:-pack|-garbage)?: (\d+)$/gm)].reduce((sum, [, size]) => sum + Number(size), 0)
}

/** Markdown is preferred. */
function readmeIn(names: string[]) {
  const found = names.filter(name => /^readme(\.[a-z]{1,10})?$/i.test(name))
  const chosen = found.find(name => /\.(md|markdown)$/i.test(name)) ?? found[0]

  return chosen && storableText(chosen)
}
