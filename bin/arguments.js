import { parseArgs } from 'node:util'
import { commands, listCommands, optionsOf, programs, usageOf } from './commands.js'

/** The command line is invalid; the message suggests the right one. */
export class BadArguments extends Error {}

/**
 * Finds the command and reads its options: `{ name, args, options }`, or `{ help }` for a list of commands.
 * @returns {{ help?: string, name?: string, args?: string[], options?: Record<string, string | boolean> }}
 */
export function readArguments(argv) {
  const [first = 'start', second = ''] = argv

  if (/^(--help|-h|help)$/.test(first)) return { help: listCommands() }
  // `tocsin worker=3`
  if (/^[\w-]+=/.test(first)) return { name: 'start', args: argv, options: {} }
  if (first.startsWith('-')) throw new BadArguments(`There is no option ${first}.${suggest(first, ['--help', '--version'])}`)
  const nouns = new Set(Object.keys(commands).map(name => name.split(' ')[0]))

  if (first in commands) return read(first, argv.slice(1))
  if (!nouns.has(first)) throw new BadArguments(`There is no command "${first}".${suggest(first, [...nouns])}`)
  if (!second || second.startsWith('-')) return { help: listCommands(first) }
  const name = `${first} ${second}`

  if (name in commands) return read(name, argv.slice(2))
  throw new BadArguments(`There is no command "${name}".${suggest(name, Object.keys(commands))}`)
}

function read(name, argv) {
  // These read their arguments themselves.
  if (programs.includes(name) && name !== 'demo') return { name, args: argv, options: {} }
  const options = optionsOf(name)
  const { values, positionals } = parse(name, argv, options)
  const [least, most] = commands[name].arguments ?? [0, 0]

  if (!values.help && (positionals.length < least || positionals.length > most)) throw new BadArguments(`Usage: ${usageOf(name)}`)

  return { name, args: positionals, options: values }
}

function parse(name, args, options) {
  try {
    return parseArgs({ args, options, allowPositionals: true })
  } catch (error) {
    const [, option] = /^Unknown option '(-[^']*)'/.exec(error.message) ?? []

    if (!option) throw new BadArguments(`${error.message.split('\n')[0]}\nUsage: ${usageOf(name)}`)
    throw new BadArguments(
      `"tocsin ${name}" has no option ${option}.${suggest(
        option,
        Object.keys(options).map(known => `--${known}`)
      )}`
    )
  }
}

function suggest(typed, known) {
  const [[closest, distance]] = known.map(word => [word, distanceOf(typed, word)]).sort(([, a], [, b]) => a - b)

  return distance <= Math.max(2, typed.length / 3) ? ` Did you mean ${closest}?` : ' See tocsin --help.'
}

/** How many letters to add, remove, replace, or swap with their neighbour. */
function distanceOf(a, b) {
  const rows = [Array.from({ length: b.length + 1 }, (_, n) => n)]

  for (let i = 1; i <= a.length; i++) {
    const row = [i]

    for (let j = 1; j <= b.length; j++) {
      const isSwapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]

      row.push(
        Math.min(
          row[j - 1] + 1,
          rows[i - 1][j] + 1,
          rows[i - 1][j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1),
          isSwapped ? rows[i - 2][j - 2] + 1 : Number.POSITIVE_INFINITY
        )
      )
    }
    rows.push(row)
  }

  return rows.at(-1).at(-1)
}
