import type { Static, TObject } from 'typebox'
import type { Message } from '../messages/message.ts'

/** A request that carries a message to a receiver. */
export interface OutboundMessage {
  url: string
  headers?: Record<string, string>
  body: string
}

/**
 * A receiver that takes messages by HTTP. Each kind is one file. The functions are pure: what they return is sent, with
 * bounds on time and size, by the delivery.
 */
export interface WebChannel<Settings extends TObject = TObject, Secrets extends TObject = TObject> {
  settings: Settings
  /** Stored encrypted, and not shown again. */
  secrets: Secrets
  /** Its receiver keeps incidents of its own: it gets each occurrence at once, as one message, so that what ends an incident finds it. */
  isPaging?: true
  /** Secrets that are made rather than entered. */
  generate?(): Partial<Static<Secrets>>
  write(message: Message, settings: Static<Settings> & Static<Secrets>): OutboundMessage
  /** Why a receiver that answers 2xx refused the message, for those that report errors in the body. */
  refusalIn?(body: string): string | undefined
}
