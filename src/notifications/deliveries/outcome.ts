import type { Mail } from '#platform/mail/mailer.ts'

export interface Outcome {
  /** `failed` and `discarded` are final: the receiver refused it, or it need not be sent any more. `retry` may succeed later. */
  status: 'sent' | 'failed' | 'discarded' | 'retry'
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
  mail: Mail
  metrics?: { delivered: (way: 'mail' | 'channel', outcome: Outcome['status']) => void }
}
