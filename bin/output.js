import util from 'node:util'

const colours = ['cyan', 'magenta', 'green', 'yellow', 'blue', 'red']
let width = 10
let count = 0

/** Whether to print JSON lines, as the logs of the processes do. */
const { LOG_FORMAT = 'auto', NODE_ENV } = process.env
const isJson = LOG_FORMAT === 'json' || (LOG_FORMAT === 'auto' && NODE_ENV === 'production')

/** Prints a line of the launcher itself. */
export function say(text) {
  process.stdout.write(isJson ? jsonLine('launcher', text) : `${text}\n`)
}

/** Prints the welcome of the web process, which is JSON already if its log is. */
export function show(text) {
  process.stdout.write(isJson ? `${text.trim()}\n` : `${text}\n`)
}

/** Returns a writer that prefixes every line with a process name in a colour of its own. JSON lines name their process. */
export function prefixed(name, stream = process.stdout) {
  const colour = colours[count++ % colours.length]
  const isColoured = stream.isTTY && !process.env.NO_COLOR && util.styleText
  let rest = ''

  width = Math.max(width, name.length)

  return chunk => {
    const lines = (rest + chunk).split('\n')

    rest = lines.pop()
    for (const line of lines) {
      if (isJson) {
        if (line) stream.write(line.startsWith('{') ? `${line}\n` : jsonLine(name, line))
        continue
      }
      const prefix = `${name.padEnd(width)} |`

      stream.write(`${isColoured ? util.styleText(colour, prefix) : prefix} ${line}\n`)
    }
  }
}

function jsonLine(name, msg) {
  return `${JSON.stringify({ level: 30, time: Date.now(), process: name, msg })}\n`
}
