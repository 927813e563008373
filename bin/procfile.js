import { readFileSync } from 'node:fs'

/**
 * Reads a Procfile: one `type: command` per line, comments start with `#`.
 * @returns {Map<string, string>} the command of each process type
 */
export function readProcfile(path) {
  const lines = readFileSync(path, 'utf8').split('\n')
  const entries = lines.map(line => /^([\w-]+):\s*(.+?)\s*$/.exec(line)).filter(Boolean)

  return new Map(entries.map(([, type, command]) => [type, command]))
}

/**
 * Reads the number of processes of each type from `type=count` arguments; the default is one.
 * @param {string[]} args
 * @param {Map<string, string>} procfile
 */
export function readFormation(args, procfile) {
  const formation = new Map([...procfile.keys()].map(type => [type, 1]))

  for (const arg of args) {
    const [, type, count] = /^([\w-]+)=(\d{1,3})$/.exec(arg) ?? []

    if (!formation.has(type)) {
      throw new Error(`Invalid argument "${arg}": expected type=count, where type is one of: ${[...procfile.keys()].join(', ')}.`)
    }
    formation.set(type, Number(count))
  }

  return formation
}
