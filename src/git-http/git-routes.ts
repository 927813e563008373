import { PassThrough } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { redirect } from '#api/redirect.ts'
import type { AuthStrategy } from '#identity/credentials/auth-strategy.ts'
import { basicStrategy } from '#identity/credentials/basic-strategy.ts'
import { RememberedPasswords } from '#identity/credentials/remembered-passwords.ts'
import { identifyWith } from '#identity/identify.ts'
import { authenticateDeployToken } from '#projects/tokens/basic-deploy-token.ts'
import { RepositoryReadOnly } from '#repositories/write-to-repository.ts'
import { fetchObjects } from './fetch.ts'
import { findTarget, MovedRepository } from './find-target.ts'
import type { GitTarget, TargetKind } from './git-target.ts'
import { push } from './push.ts'
import { GitRefusal, renderRefusals } from './refusals.ts'
import { openForReading } from './serve-directory.ts'
import { flush, pktLine } from './transfers/pkt-lines.ts'
import { relay } from './transfers/relay.ts'
import { fetchOptions, protocolOf } from './transfers/transfer-options.ts'
import { Transfers } from './transfers/transfers.ts'

type RepositoryRequest = FastifyRequest<{ Params: { repository: string }; Querystring: { service?: string } }>

const operations = { 'git-upload-pack': 'read', 'git-receive-pack': 'write' } as const
const config = { allowsJobToken: true, hasLongBody: true } as const

interface GitDeps {
  oauthTokens: AuthStrategy
  /** The kinds that a path may mean, in this order. */
  targets: TargetKind[]
}

/** Git's smart protocol over HTTP (gitprotocol-http), for the repository at a path with `.git`. */
export async function gitRoutes(app: FastifyInstance, { oauthTokens, targets }: GitDeps) {
  const transfers = new Transfers(app)
  const onRequest = authenticateBasic(app, oauthTokens)
  const targetOf = ({ caller, deployToken, params }: RepositoryRequest, service: ServiceName) =>
    findTarget(app.platform, targets, {
      caller,
      deployToken,
      path: params.repository.replace(/\.git$/, ''),
      operation: operations[service]
    })

  renderRefusals(app)
  passBodiesOn(app)
  app.get('/-/git/:repository/info/refs', { onRequest, config }, async (request: RepositoryRequest, reply) => {
    const { repository } = request.params
    const { service } = request.query

    if (!isService(service)) throw new GitRefusal(403, 'Only the smart protocol of git is supported.')
    if (!repository.endsWith('.git')) return continueAt(reply, `${repository}.git`)

    try {
      return await advertise(reply, transfers, service, await targetOf(request, service))
    } catch (error) {
      if (!(error instanceof MovedRepository)) throw error
      return continueAt(reply, `${error.path}.git`)
    }
  })
  app.post('/-/git/:repository/git-upload-pack', { onRequest, config }, async (request: RepositoryRequest, reply) =>
    fetchObjects(reply, transfers, await targetOf(request, 'git-upload-pack'))
  )
  app.post('/-/git/:repository/git-receive-pack', { onRequest, config }, async (request: RepositoryRequest, reply) =>
    push(reply, transfers, await targetOf(request, 'git-receive-pack'))
  )
  refuseOthers(app)
}

function authenticateBasic(app: FastifyInstance, oauthTokens: AuthStrategy) {
  const passwords = new RememberedPasswords()

  return async (request: FastifyRequest, reply: FastifyReply) => {
    reply.header('cache-control', 'no-cache, max-age=0, must-revalidate')
    if (await authenticateDeployToken(request, request.em)) return
    const strategy = basicStrategy({ oauthTokens, passwords, countGuess: () => app.countGuess(request, reply) })

    request.caller = await identifyWith(app.platform.fork, [strategy])(request)
  }
}

/** Bodies are streams, which no limit of the server reads into memory. */
function passBodiesOn(app: FastifyInstance) {
  const types = Object.keys(operations).map(service => `application/x-${service}-request`)

  app.removeAllContentTypeParsers()
  app.addContentTypeParser(types, (_request, payload, done) => done(null, payload))
}

/** The files of the protocol without a server, and of Git LFS, are not served. */
function refuseOthers(app: FastifyInstance) {
  const refuse = (status: number, sentence: string) => async () => {
    throw new GitRefusal(status, sentence)
  }

  app.get('/-/git/:repository/*', { onRequest: refuse(403, 'Only the smart protocol of git is supported.') }, refuse(403, ''))
  for (const path of ['info/lfs', 'info/lfs/*']) {
    app.all(`/-/git/:repository/${path}`, { onRequest: refuse(404, 'Git LFS is not supported.') }, refuse(404, ''))
  }
}

/** Git goes on at the new address. */
function continueAt(reply: FastifyReply, repository: string) {
  const { request, server } = reply
  const prefix = new URL(server.platform.config.baseUrl).pathname.replace(/\/$/, '')
  const { service = '' } = request.query as { service?: string }

  return redirect(reply, `${prefix}/${encodeURI(repository)}/info/refs?service=${service}`, 301)
}

function isService(name: string | undefined): name is ServiceName {
  return name !== undefined && Object.hasOwn(operations, name)
}

type ServiceName = 'git-upload-pack' | 'git-receive-pack'

/** Sends the references of a repository: the answer to the first request of git. */
async function advertise(reply: FastifyReply, transfers: Transfers, service: ServiceName, target: GitTarget) {
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
