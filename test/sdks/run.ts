import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { System } from '../../bench/system.ts'
import { Inbox } from './inbox.ts'
import { judge, type Verdict } from './judge.ts'
import { NotAtHand, Program } from './program.ts'
import { type Sdk, sdks } from './sdks.ts'

interface Outcome {
  sdk: Sdk
  version: string
  verdict?: Verdict
  /** Why there is no verdict. */
  skipped?: string
}

const runs = 2
const named = process.argv.slice(2)
const unknown = named.filter(name => !sdks.some(({ language }) => language === name))
const languages = [...new Set(sdks.map(({ language }) => language))]

if (unknown.length > 0) {
  console.error(`There is no ${unknown.join(', ')} here: the languages are ${languages.join(', ')}.`)
  process.exit(1)
}

console.log('Starting Tocsin …')
const system = new System('postgres')
const folder = mkdtempSync(join(tmpdir(), 'tocsin-sdks-'))
let isStopping = false

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop(130))

try {
  await system.start()
  const outcomes: Outcome[] = []

  for (const sdk of sdks.filter(({ language }) => named.length === 0 || named.includes(language))) outcomes.push(await tryOut(sdk))
  await stop(report(outcomes))
} catch (error) {
  if (!isStopping) console.error((error as Error).message)
  await stop(1)
}

async function stop(code: number) {
  if (isStopping) return
  isStopping = true
  await system.stop()
  // Go's modules are read-only.
  spawnSync('chmod', ['-R', 'u+w', folder])
  rmSync(folder, { recursive: true, force: true })
  process.exit(code)
}

async function tryOut(sdk: Sdk): Promise<Outcome> {
  const program = new Program(sdk, join(folder, String(sdks.indexOf(sdk))))

  try {
    console.log(`${sdk.language}: installing ${sdk.name} …`)
    await program.install()
    console.log(`${sdk.language}: ${sdk.name} ${program.version} sends …`)
    const inbox = await Inbox.open(system, `${sdk.language} ${sdk.name}`.replaceAll(/[^\w .-]/g, ' '))

    for (let order = 1; order <= runs; order++) await program.run(inbox.dsn, order)

    return { sdk, version: program.version, verdict: judge(await inbox.look(2 * runs, sdk.session ? runs : 0), sdk, runs) }
  } catch (error) {
    const { message } = error as Error

    if (error instanceof NotAtHand) return { sdk, version: '', skipped: message }

    return { sdk, version: program.version, verdict: { exception: [message], message: [message], session: sdk.session && [message] } }
  }
}

/** A table, what is amiss below it, and the exit code. */
function report(outcomes: Outcome[]) {
  const header = ['language', 'SDK', 'version', 'exception', 'message', 'session']
  const rows = [header, ...outcomes.map(toRow)]
  const widths = header.map((_, n) => Math.max(...rows.map(row => row[n]?.length ?? 0)))

  console.log()
  for (const row of rows)
    console.log(
      row
        .map((cell, n) => cell.padEnd(widths[n]!))
        .join('  ')
        .trimEnd()
    )
  for (const { sdk, verdict, skipped } of outcomes) {
    if (skipped) console.log(`\n${sdk.language}, ${sdk.name}, skipped: ${skipped}`)
    for (const [kind, complaints] of Object.entries(verdict ?? {})) {
      for (const complaint of new Set(complaints)) console.log(`\n${sdk.language}, ${sdk.name}, ${kind}: ${complaint}`)
    }
  }
  const failed = outcomes.filter(({ verdict }) => verdict && Object.values(verdict).some(complaints => complaints?.length))
  const skipped = outcomes.filter(outcome => outcome.skipped)

  console.log(`\n${outcomes.length - failed.length - skipped.length} passed, ${failed.length} failed, ${skipped.length} skipped`)

  return failed.length > 0 || skipped.length === outcomes.length || (named.length > 0 && skipped.length > 0) ? 1 : 0
}

function toRow({ sdk, version, verdict }: Outcome) {
  if (!verdict) return [sdk.language, sdk.name, '', 'skipped', 'skipped', sdk.session ? 'skipped' : 'has none']
  const word = (complaints: string[] | undefined) => (complaints ? (complaints.length > 0 ? 'FAILED' : 'ok') : 'has none')

  return [sdk.language, sdk.name, version, word(verdict.exception), word(verdict.message), word(verdict.session)]
}
