import type { SecretLikelihood } from './secret-keys.ts'

export interface TextRules {
  /** Without it, only secrets with a known format are scrubbed, and nothing is decoded. */
  classify?: (key: string) => SecretLikelihood
  /** Scrubs the value of a text that is JSON. */
  scrubJson?: (value: unknown, work: Work) => unknown
  /** The remaining work, within an encoded text. */
  work?: Work
}

/** Limits decoding: encoded text may hold encoded text. */
export interface Work {
  depth: number
  /** Characters that may still be decoded, of the whole text. */
  budget: { left: number }
}
