import type { FastifyInstance } from 'fastify'
import { CredentialsNeeded } from '#identity/credentials/basic-strategy.ts'
import type { Caller } from '#lib/caller.ts'
import { Forbidden, NotFound } from '#lib/refusals.ts'
import { FormerPath } from '#namespaces/former-path.ts'
import { fullPathOf } from '#namespaces/paths.ts'
import type { DeployToken } from '#projects/tokens/deploy-token.ts'
import type { GitTarget, Operation, TargetKind, TargetRequest } from './git-target.ts'
import { GitRefusal } from './refusals.ts'

type Platform = FastifyInstance['platform']

const scopes = { read: ['api', 'read_repository', 'write_repository'], write: ['api', 'write_repository'] }

/** Finds the repository at a path. Callers who cannot see it do not learn that it exists. */
export async function findTarget(platform: Platform, kinds: TargetKind[], request: TargetRequest): Promise<GitTarget> {
  const { caller, deployToken, operation } = request
  let refusal: Forbidden | undefined

  if (caller) checkCredential(caller, operation)
  if (deployToken) checkDeployToken(deployToken, operation)
  // Postgres refuses a text with NUL.
  for (const { find, table } of request.path.includes('\0') ? [] : kinds) {
    try {
      const target = await find(platform, request)

      if (target) return target
    } catch (error) {
      if (error instanceof FormerPath) throw await movedTo(platform, table, error, request.path)
      if (error instanceof Forbidden) refusal ??= error
      else if (!(error instanceof NotFound)) throw error
    }
  }
  if (!caller && !deployToken) throw new CredentialsNeeded()
  throw refusal ?? new GitRefusal(404, 'The repository was not found, or you are not allowed to see it.')
}

function checkCredential({ scopes: granted, by }: Caller, operation: Operation) {
  if (granted !== 'all' && !granted.some(scope => scopes[operation].includes(scope)))
    throw new GitRefusal(403, `The token needs one of the scopes ${scopes[operation].join(', ')}.`)
  if (by.kind === 'job' && operation === 'write') throw new Forbidden('a job token cannot push')
}

function checkDeployToken({ scopes: granted }: DeployToken, operation: Operation) {
  if (!granted.includes('read_repository')) throw new GitRefusal(403, 'The deploy token needs the scope read_repository.')
  if (operation === 'write') throw new Forbidden('a deploy token cannot push')
}

async function movedTo({ fork }: Platform, table: TargetKind['table'], { from, to }: FormerPath, path: string) {
  return new MovedRepository((await fullPathOf(fork(), table, to)) + path.slice(from.length))
}

/** The repository has another path now. */
export class MovedRepository extends Error {
  path: string

  constructor(path: string) {
    super(`The repository is at ${path}.`)
    this.path = path
  }
}
