import type { SpawnOptions } from 'node:child_process'
import type { Git, RunOptions } from './git.ts'
import { GitFailed } from './git-errors.ts'

/** Git on one repository. */
export class GitDirectory {
  git: Git
  path: string

  constructor(git: Git, path: string) {
    this.git = git
    this.path = path
  }

  run(args: string[], options?: RunOptions) {
    return this.git.run(this.path, args, options)
  }

  text(args: string[], options?: RunOptions) {
    return this.git.text(this.path, args, options)
  }

  /** As `text`, but undefined when git fails: what it should show does not exist. */
  async find(args: string[], options?: RunOptions) {
    try {
      return await this.text(args, options)
    } catch (error) {
      if (error instanceof GitFailed) return undefined
      throw error
    }
  }

  /** See `Git.start`. */
  start(args: string[], stdio: NonNullable<SpawnOptions['stdio']>) {
    return this.git.start(this.path, args, { stdio })
  }
}
