#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { BadArguments, readArguments } from './arguments.js'
import { helpOf } from './commands.js'
import { root } from './install.js'

const argv = process.argv.slice(2)

try {
  if (/^(--version|-v)$/.test(argv[0])) print(`${JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version}\n`)
  else await run(readArguments(argv))
} catch (error) {
  if (!(error instanceof BadArguments)) throw error
  console.error(error.message)
  process.exitCode = 1
}

/** Each way to run is loaded only when it is used: some start before the dependencies are installed. */
async function run({ help, name, args, options }) {
  if (help) return print(help)
  if (options.help) return print(helpOf(name))
  if (name === 'start') {
    process.argv.splice(2, Number.POSITIVE_INFINITY, ...args)
    await import('./start.js')
  } else if (name === 'demo') {
    const { demo } = await import('./demo.js')
    await demo(options)
  } else if (name === 'web' || name === 'worker') {
    const { becomeProgram } = await import('./programs.js')
    await becomeProgram(name, args)
  } else {
    const { runCommand } = await import('./run-command.js')
    process.exitCode = await runCommand({ name, args, options })
  }
}

function print(text) {
  process.stdout.write(text)
}
