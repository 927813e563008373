import { readFileSync } from 'node:fs'

/**
 * Reads a Procfile: one `type: command` a line, `#` starts a comment.
 * @returns {Map<string, string>} the command of each process type
 */
export function readProcfile(path) {
  const lines = readFileSync(path, 'utf8').split('\n')
  const entries = lines.map(line => /^([\w-]+):\s*(.+?)\s*$/.exec(line)).filter(Boolean)

  return new Map(entries.map(([, type, command]) => [type, command]))
}

/**
 * How many of each type to run: one, unless `type=count` says otherwise.
 * @param {string[]} args
 * @param {Map<string, string>} procfile
 */
export function readFormation(args, procfile) {
  const formation = new Map([...procfile.keys()].map(type => [type, 1]))

  for (const arg of args) {
    const [, type, count] = /^([\w-]+)=(\d{1,3})$/.exec(arg) ?? []

    if (!formation.has(type)) {
      throw new Error(`Not understood: "${arg}". Say type=count, where type is one of: ${[...procfile.keys()].join(', ')}.`)
    }
    formation.set(type, Number(count))
  }

  return formation
}
