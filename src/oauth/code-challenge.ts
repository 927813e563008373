import { InvalidCodeChallengeMethod, InvalidRequest, MissingParameter } from './errors.ts'
import type { Parameters } from './parameters.ts'

/**
 * RFC 9700 §2.1.1: public clients must use PKCE. RFC 7636 §4.3: without a method it would be `plain`, which does not
 * protect the verifier, so S256 has to be named.
 */
export function checkCodeChallenge({ isConfidential }: { isConfidential: boolean }, params: Parameters) {
  const { code_challenge: challenge, code_challenge_method: method } = params

  if (!challenge && !method && isConfidential) return undefined
  if (!challenge) throw new MissingParameter('code_challenge')
  if (method !== 'S256') throw new InvalidCodeChallengeMethod()
  if (!/^[\w-]{43}$/.test(challenge)) throw new InvalidRequest('The code_challenge is not the base64url encoding of a SHA-256 hash.')

  return challenge
}
