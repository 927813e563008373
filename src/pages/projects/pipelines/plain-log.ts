import { stripVTControlCharacters } from 'node:util'

/** A job's log without the terminal's colours, and with only what a terminal would show of lines that were written over. */
export function plainLog(log: string) {
  return withoutTimes(log.split('\n'))
    .filter(line => !isMark(line))
    .map(line => afterReturn(stripVTControlCharacters(line).replace(/\r$/, '')))
    .join('\n')
}

/** `2026-11-25T03:23:46.309576Z 00O `: time and stream of the line; with `+` for the space, it continues the line before. */
const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{1,9}Z [0-9a-f]{2}[OE]([ +])/

/** Without what gitlab-runner writes before each line of the log. */
function withoutTimes(lines: string[]) {
  const joined: string[] = []

  for (const line of lines) {
    const [before = '', flag] = timestamp.exec(line) ?? []
    const text = line.slice(before.length)

    if (flag === '+' && joined.length > 0) joined.push(joined.pop()! + text)
    else joined.push(text)
  }

  return joined
}

const mark = /^section_(?:start|end):\d+:/

/** Nothing but where sections begin and end. */
function isMark(line: string) {
  const parts = stripVTControlCharacters(line).split('\r')

  return parts.some(part => part !== '') && parts.every(part => part === '' || mark.test(part))
}

function afterReturn(line: string) {
  return line.slice(line.lastIndexOf('\r') + 1)
}
