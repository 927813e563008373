export interface Mailbox {
  name: string
  address: string
}

/** An e-mail address, with or without a name before it. */
export const mailboxPattern = /^(?:([^<>"\r\n]*)<|\s*)([^\s<>@,]+@[^\s<>@,]+)>?\s*$/

/** Undefined for other text. */
export function readMailbox(text: string): Mailbox | undefined {
  const [, name = '', address] = mailboxPattern.exec(text) ?? []

  return address ? { name: name.trim(), address } : undefined
}
