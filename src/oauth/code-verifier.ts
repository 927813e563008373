import { createHash, timingSafeEqual } from 'node:crypto'
import { InvalidGrant, MissingParameter } from './errors.ts'
import type { Parameters } from './parameters.ts'

/**
 * RFC 7636 §4.6: the verifier must hash to the challenge that the code is bound to. A verifier without a challenge is refused,
 * too: an attacker may have removed the challenge from the authorization request (RFC 9700 §4.8.2).
 */
export function checkCodeVerifier(challenge: string | null | undefined, { code_verifier: verifier }: Parameters) {
  if (!challenge && verifier === undefined) return
  if (!challenge) throw new InvalidGrant()
  if (verifier === undefined) throw new MissingParameter('code_verifier')
  if (!isVerifier(verifier) || !matches(verifier, challenge)) throw new InvalidGrant()
}

/** RFC 7636 §4.1. */
function isVerifier(verifier: string) {
  return /^[\w.~-]{43,128}$/.test(verifier)
}

function matches(verifier: string, challenge: string) {
  return timingSafeEqual(createHash('sha256').update(verifier).digest(), Buffer.from(challenge, 'base64url'))
}
