import { PassThrough } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { toProblem } from '#api/problems/render-problems.ts'
import { initializeRepository } from '#repositories/open-repository.ts'
import { writeToRepository } from '#repositories/write-to-repository.ts'
import { readChanges } from './accept-push.ts'
import type { GitTarget } from './git-target.ts'
import { pointHead } from './serve-directory.ts'
import type { GitProcess } from './transfers/git-process.ts'
import { pktLine } from './transfers/pkt-lines.ts'
import { PushReport } from './transfers/push-report.ts'
import { limitCommands, readBody } from './transfers/request-body.ts'
import { protocolOf, pushOptions } from './transfers/transfer-options.ts'
import type { Transfers } from './transfers/transfers.ts'
import { writeChunk } from './transfers/write-chunk.ts'

/** About 40,000 references. */
const maxCommandBytes = 4_194_304

/** Answers a push. The client learns of its success when it is recorded, and no move of the repository missed it. */
export async function push(reply: FastifyReply, transfers: Transfers, target: GitTarget) {
  const { fork } = reply.server.platform
  const begun = Promise.withResolvers<GitProcess>()
  const out = new PassThrough()
  const report = new PushReport()
  const written = writeToRepository(fork, target.repository.id, async repository => {
    const child = await receivePack(reply, transfers, { ...target, repository })

    begun.resolve(child)
    for await (const chunk of child.output) await writeChunk(out, report.take(chunk))
    const { handedBack } = await child.ended

    await target.acceptPush?.({ directory: child.directory, by: reply.request.actor, changes: readChanges(handedBack) })
  })

  // Before the first output, the answer can still be an HTTP status.
  written.catch(begun.reject)
  const child = await begun.promise

  finish(reply, out, async () => {
    await written
    // The client reads the report when it has sent everything, even what git did not read.
    await child.fed

    return report.held
  })

  return reply.type('application/x-git-receive-pack-result').send(out)
}

async function receivePack(reply: FastifyReply, transfers: Transfers, { repository, defaultBranch, mayForce, maxFiles }: GitTarget) {
  const { request, server } = reply
  const { git, fork, config } = server.platform
  const directory = await initializeRepository(fork(), git, repository, defaultBranch)
  const maxBytes = config.gitTransfers.pushBytes
  const env = {
    ...protocolOf(request.headers['git-protocol']),
    TOCSIN_DEFAULT_REF: `refs/heads/${defaultBranch}`,
    TOCSIN_MAY_FORCE: mayForce ? '1' : '0',
    TOCSIN_MAX_FILES: String(maxFiles ?? '')
  }

  await pointHead(git, directory, defaultBranch)
  const child = await transfers.start(reply, { directory, args: [...pushOptions(maxBytes), 'receive-pack', '--stateless-rpc', '.'], env })

  // Git refuses a pack that is too large with a message that the client shows.
  await child.begin(limitCommands(readBody(request, Number.POSITIVE_INFINITY), maxCommandBytes))

  return child
}

/** Ends the answer with the report, or with the reason why there is none, on the band for fatal errors. */
async function finish({ request }: FastifyReply, out: PassThrough, untilReport: () => Promise<Buffer>) {
  try {
    out.end(await untilReport())
  } catch (error) {
    const reason = toProblem(error as never, request).summary()

    out.end(pktLine(`\x03The push is not confirmed: ${reason}. Fetch, then push again.\n`))
  }
}
