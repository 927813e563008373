/** A line of git's protocols (gitprotocol-common): its length in four hexadecimal digits, then its content. */
export function pktLine(text: string) {
  return Buffer.from(`${(Buffer.byteLength(text) + 4).toString(16).padStart(4, '0')}${text}`)
}

/** The separator without content. */
export const flush = Buffer.from('0000')

/** Splits a stream that arrives in chunks into its lines, with their lengths. */
export class PktLines {
  #rest: Buffer = Buffer.alloc(0)
  /** No more lines follow: the stream goes on in another format. */
  isMalformed = false

  /** Bytes that are not a whole line yet. */
  get pending() {
    return this.#rest
  }

  *push(chunk: Buffer): Generator<Buffer, void, void> {
    this.#rest = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk
    while (this.#rest.length >= 4) {
      const digits = this.#rest.toString('latin1', 0, 4)

      this.isMalformed = !/^[0-9a-f]{4}$/i.test(digits)
      // Lengths below four are separators.
      const length = Math.max(4, Number.parseInt(digits, 16))

      if (this.isMalformed || this.#rest.length < length) return
      const line = this.#rest.subarray(0, length)

      this.#rest = this.#rest.subarray(length)
      yield line
    }
  }
}
