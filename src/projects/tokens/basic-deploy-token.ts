import type { FastifyRequest } from 'fastify'
import { CredentialsNeeded, decodeBasic, readBasic } from '#identity/credentials/basic-strategy.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { authenticateDeployToken as findValidToken } from './authenticate-deploy-token.ts'
import { type DeployToken, deployTokenPrefix } from './deploy-token.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Given instead of a caller: it is no user. */
    deployToken?: DeployToken
  }
}

/** False when the request has no deploy token. Throws when it is not valid. */
export async function authenticateDeployToken(request: FastifyRequest, em: EntityManager) {
  const encoded = readBasic(request)
  const login = encoded === undefined ? undefined : decodeBasic(encoded)

  if (!login?.password.startsWith(deployTokenPrefix)) return false
  request.deployToken = await findValidToken(em, login, new Date())
  if (!request.deployToken) throw new CredentialsNeeded()

  return true
}
