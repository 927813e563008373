import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { Rejected } from '#lib/refusals.ts'
import { endProcessGroup } from '#platform/git/end-process-group.ts'
import type { Git } from '#platform/git/git.ts'
import { writeChunk } from './write-chunk.ts'

const maxErrorText = 2000
/** A push hands back one line for each reference, and their number is bounded. */
const maxHandedBack = 16_777_216

export interface GitCommand {
  directory: string
  args: string[]
  env: Record<string, string>
}

/** A running `git upload-pack` or `git receive-pack`. */
export class GitProcess {
  /** Resolves when the process and all its streams have ended. */
  ended: Promise<{ exitCode: number; errorText: string; handedBack: string }>
  /** Resolves when the whole input was read. */
  fed: Promise<void> = Promise.resolve()
  directory: string
  #child: ChildProcess
  #isStopped = false

  constructor(git: Git, { directory, args, env }: GitCommand) {
    this.directory = directory
    // Descriptor 3 is for our hooks.
    this.#child = git.start(directory, args, { env, stdio: ['pipe', 'pipe', 'pipe', 'pipe'] })
    // The process may end before it has read its input.
    this.#child.stdin!.on('error', () => {})
    this.ended = this.#untilEnded()
  }

  get output() {
    return this.#child.stdout!
  }

  /** Begins to write the input. Resolves at the first output. Throws when the input or git fails before it, and stops git. */
  async begin(input: AsyncIterable<Buffer>) {
    this.fed = this.#feed(input)
    const failed = new Promise<never>((_, reject) => this.fed.catch(reject))

    failed.catch(() => this.stop())
    await Promise.race([once(this.output, 'readable'), failed])
    if (this.output.readableLength > 0) return
    const { exitCode } = await this.ended

    if (exitCode !== 0) throw new Rejected('git does not understand the request')
  }

  stop() {
    if (this.#isStopped) return
    this.#isStopped = true
    this.#child.stdin!.destroy()
    // Git deletes its temporary files only while its output is read.
    this.output.resume()
    endProcessGroup(this.#child)
  }

  /** What the process does not read is dropped. */
  async #feed(input: AsyncIterable<Buffer>) {
    const stdin = this.#child.stdin!

    for await (const chunk of input) await writeChunk(stdin, chunk)
    stdin.end()
  }

  async #untilEnded() {
    const [, , stderr, hooks] = this.#child.stdio as Readable[]
    const exitCode = new Promise<number>(resolve => {
      this.#child.once('error', () => resolve(-1))
      this.#child.once('close', code => {
        this.#isStopped = true
        resolve(code ?? -1)
      })
    })
    const [errorText, handedBack] = await Promise.all([collect(stderr!, maxErrorText), collect(hooks!, maxHandedBack)])

    return { exitCode: await exitCode, errorText, handedBack }
  }
}

async function collect(stream: Readable, maxLength: number) {
  let text = ''

  stream.setEncoding('utf8')
  try {
    for await (const chunk of stream) text = (text + chunk).slice(0, maxLength)
  } catch {
    // The process was stopped.
  }

  return text
}
