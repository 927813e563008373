import { hashSecret } from '#identity/secrets.ts'
import type { EntityManager } from '#platform/database/database.ts'
import { activeDeployTokens, DeployToken } from './deploy-token.ts'

/** The token with this username and secret, while it is valid. */
export async function authenticateDeployToken(em: EntityManager, { login, password }: { login: string; password: string }, at: Date) {
  const token = await em.findOne(DeployToken, { tokenHash: hashSecret(password), ...activeDeployTokens(at) })

  return token?.username === login ? token : undefined
}
