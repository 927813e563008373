import { defineEntity, type FilterQuery, p } from '@mikro-orm/core'
import { updatedAt } from '#platform/database/updated-at.ts'

/** GitLab's scopes of packages are not among them: packages accept job tokens and access tokens. */
export const deployTokenScopes = ['read_repository', 'read_registry', 'write_registry'] as const
export type DeployTokenScope = (typeof deployTokenScopes)[number]

export const deployTokenPrefix = 'gldt-'

export const DeployTokenSchema = defineEntity({
  name: 'DeployToken',
  tableName: 'deploy_tokens',
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    projectId: p.bigint('number').nullable(),
    groupId: p.bigint('number').nullable(),
    name: p.text(),
    /** Clients give it together with the secret. */
    username: p.text(),
    tokenHash: p.blob(),
    scopes: p.array<DeployTokenScope>().columnType('text[]'),
    createdAt: p.datetime(3).onCreate(() => new Date()),
    updatedAt: updatedAt(),
    expiresAt: p.datetime(3).nullable(),
    revokedAt: p.datetime(3).nullable()
  }
})

/** Lets machines read the code, and read or write the images, of a project or of all projects in a group. It is no user. */
export class DeployToken extends DeployTokenSchema.class {
  isExpired(at: Date) {
    return Boolean(this.expiresAt && this.expiresAt <= at)
  }

  /** Whether it belongs to the project, or to a group above it; `lineage` is that of the project's namespace. */
  covers({ id, lineage }: { id: number; lineage: number[] }) {
    return this.projectId === id || (this.groupId != null && lineage.includes(this.groupId))
  }
}

DeployTokenSchema.setClass(DeployToken)

export function activeDeployTokens(at: Date): FilterQuery<DeployToken> & object {
  return { revokedAt: null, $or: [{ expiresAt: null }, { expiresAt: { $gt: at } }] }
}
