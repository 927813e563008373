import type { ChildProcess } from 'node:child_process'
import { PassThrough, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { FastifyReply } from 'fastify'
import { inertPolicy } from '#api/browser-headers.ts'
import { disposition } from '#api/parameters/file-name.ts'
import type { GitDirectory } from '#platform/git/git-directory.ts'

const maxMs = 600_000

/**
 * The output of a git command as a stream that needs little memory. It ends with an error when git fails, takes more than ten minutes, or
 * the client leaves; the answer is then cut off.
 */
export async function streamGit({ git, path }: GitDirectory, args: string[]): Promise<Readable> {
  const release = await git.transfers.acquire()
  const output = new PassThrough()

  run(git.start(path, args, { stdio: ['ignore', 'pipe', 'ignore'] }), output)
    .catch(error => output.destroy(error as Error))
    .finally(release)

  return output
}

async function run(child: ChildProcess, output: PassThrough) {
  const timer = setTimeout(() => child.kill('SIGKILL'), maxMs)
  const ended = new Promise<void>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', code => (code === 0 ? resolve() : reject(new Error(`git ended with ${code}`))))
  })

  try {
    await Promise.all([pipeline(child.stdout!, output, { end: false }), ended])
    output.end()
  } finally {
    clearTimeout(timer)
    child.kill('SIGKILL')
  }
}

/** Files of users are never shown as pages of ours: browsers download them. */
export function asDownload(reply: FastifyReply, name: string, type: string) {
  return reply.headers({
    'content-type': type,
    'content-disposition': disposition('attachment', name),
    'content-security-policy': inertPolicy,
    'cache-control': 'private, max-age=0, must-revalidate'
  })
}
