/** The configuration can't be read any further. Each message names the job and the keyword where there is one. */
export class InvalidConfig extends Error {
  messages: string[]

  constructor(...messages: string[]) {
    super(messages.join('; '))
    this.messages = messages
  }
}
