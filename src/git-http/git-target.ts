import type { FastifyInstance } from 'fastify'
import type { Actor } from '#audit/record-audit-event.ts'
import type { Caller } from '#lib/caller.ts'
import type { DeployToken } from '#projects/tokens/deploy-token.ts'
import type { Repository } from '#repositories/repository.ts'
import type { RefChange } from './jobs.ts'

export type Operation = 'read' | 'write'

/** A repository that the caller may read or write. */
export interface GitTarget {
  repository: Repository
  defaultBranch: string
  /** Whether the caller may force push to the default branch. */
  mayForce: boolean
  /** Limit on its files. When given, the default branch is its only one. */
  maxFiles?: number
  /** Records that a clone or fetch took place. */
  recordDownload?: (actor: Actor) => Promise<void>
  /** Records a push, before the client is answered. */
  acceptPush?: (push: PushedChanges) => Promise<void>
}

export interface PushedChanges {
  directory: string
  by: Actor
  changes: RefChange[]
}

export interface TargetRequest {
  caller: Caller | undefined
  /** Given instead of a caller. */
  deployToken?: DeployToken
  /** Without `.git`. */
  path: string
  operation: Operation
}

/** One kind of thing that has a repository. */
export interface TargetKind {
  /** The table of the project or group that the path begins with. */
  table: 'projects' | 'namespaces'
  /** Undefined when the path has another form. Throws when the caller may not do this. */
  find: (platform: FastifyInstance['platform'], request: TargetRequest) => Promise<GitTarget | undefined>
}

declare module '#platform/extra.ts' {
  interface Extra {
    /** Serves its repositories over HTTP. */
    gitTargets?: TargetKind[]
  }
}
