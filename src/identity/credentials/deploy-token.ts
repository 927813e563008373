import { Unauthorized } from '../../http/problems/problems.ts'
import { type AuthStrategy, readAccessToken, readHeader } from './auth-strategy.ts'

/** Deploy tokens fetch code and packages; the API rejects all of them, valid or not. */
export const deployTokenStrategy: AuthStrategy = {
  read(request) {
    const token = readAccessToken(request)

    return readHeader(request, 'deploy-token') ?? (token?.startsWith('gldt-') ? token : undefined)
  },
  async authenticate() {
    throw new Unauthorized()
  }
}
