import { spawn, spawnSync } from 'node:child_process'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../bin/install.js'
import type { Sdk } from './sdks.ts'

/** Why a language cannot take part here. */
export class NotAtHand extends Error {}

const patience = { install: 15 * 60_000, run: 60_000 }

/** A user's little program with the real SDK in it, in a folder of its own. */
export class Program {
  readonly sdk: Sdk
  readonly dir: string
  version = ''

  constructor(sdk: Sdk, dir: string) {
    this.sdk = sdk
    this.dir = dir
  }

  async install() {
    const missing = this.sdk.programs.filter(program => spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0)

    if (missing.length > 0) throw new NotAtHand(`no ${missing.join(', no ')} on the PATH`)
    cpSync(join(root, 'test', 'sdks', this.sdk.language), this.dir, { recursive: true })
    await this.#shell(this.sdk.install, patience.install).catch(error => {
      throw new NotAtHand(`could not be installed: ${error.message}`)
    })
    this.version = await this.#shell(this.sdk.version, patience.run)
  }

  /** Once through the shop's day, for an order of this number. */
  run(dsn: string, order: number) {
    return this.#shell(this.sdk.run, patience.run, { SENTRY_DSN: dsn, ORDER: String(order) })
  }

  /** What it printed; its last complaint when it failed. */
  #shell(line: string, patienceMs: number, env: Record<string, string> = {}) {
    return new Promise<string>((resolve, reject) => {
      const child = spawn('sh', ['-c', line], { cwd: this.dir, env: { ...process.env, ...env }, timeout: patienceMs })
      let printed = ''
      let complaints = ''

      child.stdout.on('data', chunk => {
        printed += chunk
      })
      child.stderr.on('data', chunk => {
        complaints += chunk
      })
      child.once('error', reject)
      child.once('close', code => (code === 0 ? resolve(printed.trim()) : reject(new Error(gist(complaints || printed) || `exit ${code}`))))
    })
  }
}

/** Package managers say what is wrong last, or in the line that names an error. */
function gist(complaints: string) {
  const lines = complaints
    .split('\n')
    .map(line => line.trim())
    .filter(Boolean)

  return (lines.find(line => /error|could not|unable/i.test(line)) ?? lines.at(-1) ?? '').slice(0, 160)
}
