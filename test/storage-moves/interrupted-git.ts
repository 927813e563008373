import { execFileSync } from 'node:child_process'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Test } from 'tap'
import { openDirectory } from '../support/repositories.ts'

const installedGit = execFileSync('sh', ['-c', 'command -v git']).toString().trim()

/** A `git` that runs a line of shell before one of its commands, once. The worker is `$PPID`. */
export async function interruptedGit(t: Test) {
  const directory = await openDirectory(t)
  const program = join(directory, 'bin', 'git')

  await mkdir(join(directory, 'bin'))
  await writeFile(
    program,
    `#!/bin/sh
for word; do
  if mv "${directory}/before-$word" "${directory}/done-$word" 2> /dev/null; then . "${directory}/done-$word"; fi
done
exec ${installedGit} "$@"
`
  )
  await chmod(program, 0o755)

  return {
    path: `${join(directory, 'bin')}:${process.env.PATH}`,
    before: (command: string, line: string) => writeFile(join(directory, `before-${command}`), line)
  }
}
