import type { FastifyReply } from 'fastify'
import type { GitDirectory } from '#platform/git/git-directory.ts'
import { asDownload, streamGit } from './send-stream.ts'

const maxBuffered = 1_048_576

/** The bytes of a file, as text or as a download without a type. Large ones are streamed. */
export async function sendBlob(reply: FastifyReply, repo: GitDirectory, blob: { sha: string; size: number; name: string }) {
  const { sha, size, name } = blob

  if (size > maxBuffered) {
    return asDownload(reply, name, 'application/octet-stream')
      .header('content-length', size)
      .send(await streamGit(repo, ['cat-file', 'blob', sha]))
  }
  const content = await repo.run(['cat-file', 'blob', sha], { maxBytes: maxBuffered + 1 })

  return asDownload(reply, name, isText(content) ? 'text/plain; charset=utf-8' : 'application/octet-stream').send(content)
}

function isText(content: Buffer) {
  try {
    return !new TextDecoder('utf-8', { fatal: true }).decode(content).includes('\0')
  } catch {
    return false
  }
}
