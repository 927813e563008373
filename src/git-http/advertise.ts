import { PassThrough } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { RepositoryReadOnly } from '#repositories/write-to-repository.ts'
import { openForReading } from './serve-directory.ts'
import type { GitTarget } from './targets/git-target.ts'
import { flush, pktLine } from './transfers/pkt-lines.ts'
import { relay } from './transfers/relay.ts'
import { fetchOptions, protocolOf } from './transfers/transfer-options.ts'
import type { Transfers } from './transfers/transfers.ts'

export type ServiceName = 'git-upload-pack' | 'git-receive-pack'

/** Sends the references of a repository: the answer to the first request of git. */
export async function advertise(reply: FastifyReply, transfers: Transfers, service: ServiceName, target: GitTarget) {
  const { git } = reply.server.platform
  const env = protocolOf(reply.request.headers['git-protocol'])

  // Before the client uploads its pack.
  if (service === 'git-receive-pack' && target.repository.isReadOnly) throw new RepositoryReadOnly()
  const { directory, release } = await openForReading(git, target)
  const args = [...fetchOptions, service.slice('git-'.length), '--stateless-rpc', '--http-backend-info-refs', '.']
  const running = await transfers.start(reply, { directory, args, env }, git.commands)
  const out = new PassThrough()

  running.ended.finally(release)
  // Version 2 has no such line, but pushes know only version 0.
  if (env.GIT_PROTOCOL !== 'version=2' || service === 'git-receive-pack')
    out.write(Buffer.concat([pktLine(`# service=${service}\n`), flush]))
  relay(running, out).catch(error => out.destroy(error))

  return reply.type(`application/x-${service}-advertisement`).send(out)
}
