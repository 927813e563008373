import { Unauthorized } from '../../http/problems/problems.ts'
import { type CredentialKind, readHeader, readToken } from './credential.ts'

/** Deploy tokens are for fetching code and packages; the API takes none of them, however right they are. */
export const deployToken: CredentialKind = {
  read(request) {
    const token = readToken(request)

    return readHeader(request, 'deploy-token') ?? (token?.startsWith('gldt-') ? token : undefined)
  },
  async identify() {
    throw new Unauthorized()
  }
}
