import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Test } from 'tap'
import { findRepository } from '#repositories/find-repository.ts'
import { listen } from '../support/listen.ts'
import { openApp, rootToken, type WorldOptions } from '../support/world.ts'

export interface Ran {
  code: number
  stdout: string
  stderr: string
}

/** A served project with an empty repository, and real git clients. */
export async function openGitServer(t: Test, options: WorldOptions = {}) {
  const directory = await mkdtemp(join(tmpdir(), 'tocsin-git-http-'))
  const world = await openApp(t, options)

  await listen(world.app)
  const { port } = world.app.server.address() as AddressInfo
  const { body: project } = await world.call('POST', '/projects', { name: 'Shop', visibility: 'private' })
  const { git, fork } = world.platform
  let clients = 0

  t.teardown(() => rm(directory, { recursive: true, force: true }))
  const url = (credential: string | undefined = `oauth2:${rootToken}`, path: string = project.path_with_namespace) =>
    `http://${credential ? `${credential}@` : ''}127.0.0.1:${port}/${path}.git`

  return {
    ...world,
    project,
    port,
    url,
    repository: () => findRepository(fork(), { projectId: project.id }),
    /** Runs git on the server's copy. */
    async onServer(...args: string[]) {
      return git.text(git.storages.directory(await findRepository(fork(), { projectId: project.id })), args)
    },
    /** A working copy of its own, with a remote `origin`. */
    async client(remote = url()) {
      const path = join(directory, `client-${++clients}`)

      await mkdir(path)
      const run = (...args: string[]) => runGit(path, args)

      await run('init', '--quiet', '--initial-branch=main')
      await run('remote', 'add', 'origin', remote)

      return {
        path,
        run,
        ok: async (...args: string[]) => {
          const ran = await run(...args)

          if (ran.code !== 0) throw new Error(`git ${args.join(' ')}: ${ran.stderr}`)

          return ran.stdout.trim()
        },
        async commit(name: string, content = name) {
          await writeFile(join(path, name), content)
          await run('add', name)
          await run('commit', '--quiet', '-m', `Add ${name}`)

          return (await run('rev-parse', 'HEAD')).stdout.trim()
        }
      }
    },
    clone: (to: string, ...args: string[]) => runGit(directory, ['clone', ...args, to])
  }
}

export function runGit(cwd: string, args: string[], env: Record<string, string> = {}, input?: string) {
  return new Promise<Ran>(resolve => {
    const child = execFile('git', args, { cwd, maxBuffer: 100_000_000, env: { ...clientEnv, ...env } }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code ?? -1) : 0, stdout, stderr })
    )

    child.stdin?.end(input)
  })
}

const clientEnv = {
  PATH: process.env.PATH,
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
  GIT_ASKPASS: 'true',
  GIT_AUTHOR_NAME: 'A',
  GIT_AUTHOR_EMAIL: 'a@example.com',
  GIT_COMMITTER_NAME: 'A',
  GIT_COMMITTER_EMAIL: 'a@example.com',
  LC_ALL: 'C'
}
