import { PktLines } from './pkt-lines.ts'

const data = 1
const progress = 2
const nothing = Buffer.alloc(0)

/**
 * Divides the output of receive-pack: progress and keep-alives are sent at once. The results of the references and the end
 * are held back until the push is recorded.
 */
export class PushReport {
  #lines = new PktLines()
  #held: Buffer[] = []

  /** The part of a chunk that may be sent at once. */
  take(chunk: Buffer) {
    if (this.#held.length > 0) {
      this.#held.push(chunk)
      return nothing
    }
    const sent: Buffer[] = []

    for (const line of this.#lines.push(chunk)) {
      if (isProgress(line)) sent.push(line)
      else {
        this.#held.push(line, this.#lines.pending)
        break
      }
    }
    if (this.#lines.isMalformed && this.#held.length === 0) this.#held.push(this.#lines.pending)

    return Buffer.concat(sent)
  }

  /** All that was held back. */
  get held() {
    return Buffer.concat(this.#held.length > 0 ? this.#held : [this.#lines.pending])
  }
}

/** On the band for progress, or without content. */
function isProgress(line: Buffer) {
  return line[4] === progress || (line[4] === data && line.length === 5)
}
