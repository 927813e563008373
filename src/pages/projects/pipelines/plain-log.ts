import { stripVTControlCharacters } from 'node:util'

/** A job's log without the terminal's colours, and with only what a terminal would show of lines that were written over. */
export function plainLog(log: string) {
  return stripVTControlCharacters(log)
    .split('\n')
    .map(line => afterReturn(line.replace(/\r$/, '')))
    .filter(line => !/^section_(?:start|end):\d+:/.test(line))
    .join('\n')
}

function afterReturn(line: string) {
  return line.slice(line.lastIndexOf('\r') + 1)
}
