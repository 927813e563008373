import type { Mail } from '../../platform/mail/mailer.ts'

export interface Outcome {
  /** `failed` is final; `retry` may succeed later. */
  status: 'sent' | 'failed' | 'retry'
  /** In words for the log of deliveries. */
  answer: string
  retryAfterMs?: number
}

export interface SendDeps {
  config: {
    baseUrl: string
    secretKey?: string | undefined
    dataDir: string
    outbound: { allowsPrivate: boolean }
  }
  mail?: Mail
}
