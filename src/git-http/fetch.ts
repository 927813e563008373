import { PassThrough } from 'node:stream'
import type { FastifyReply } from 'fastify'
import type { GitTarget } from './git-target.ts'
import { openForReading } from './serve-directory.ts'
import { relay } from './transfers/relay.ts'
import { readBody } from './transfers/request-body.ts'
import { fetchOptions, protocolOf } from './transfers/transfer-options.ts'
import type { Transfers } from './transfers/transfers.ts'

/** Ids of objects that the client has or wants. */
const maxRequestBytes = 10_485_760
const packStart = Buffer.from('PACK\0\0\0\x02')

/** Answers one request of a clone or fetch. */
export async function fetchObjects(reply: FastifyReply, transfers: Transfers, target: GitTarget) {
  const { request, server } = reply
  const { git } = server.platform
  const { directory, release } = await openForReading(git, target)

  try {
    const env = protocolOf(request.headers['git-protocol'])
    const child = await transfers.start(reply, { directory, args: [...fetchOptions, 'upload-pack', '--stateless-rpc', '.'], env })
    const out = new PassThrough()

    child.ended.finally(release)
    await child.begin(readBody(request, maxRequestBytes))
    const audit = oncePackStarts(async () => target.recordDownload?.(request.actor))

    relay(child, out, audit).catch(error => out.destroy(error))

    return reply.type('application/x-git-upload-pack-result').send(out)
  } catch (error) {
    await release()
    throw error
  }
}

/** A clone or fetch is several requests; the answer to one of them holds a pack. */
function oncePackStarts(run: () => Promise<void>) {
  let tail: Buffer = Buffer.alloc(0)
  let isFound = false

  return async (chunk: Buffer) => {
    if (isFound) return
    const bytes = Buffer.concat([tail, chunk])

    isFound = bytes.includes(packStart)
    tail = bytes.subarray(1 - packStart.length)
    if (isFound) await run()
  }
}
