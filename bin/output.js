import util from 'node:util'

const colours = ['cyan', 'magenta', 'green', 'yellow', 'blue', 'red']
let width = 10
let count = 0

/** Returns a writer that prefixes every line with a process name in a colour of its own. */
export function prefixed(name, stream = process.stdout) {
  const colour = colours[count++ % colours.length]
  const isColoured = stream.isTTY && !process.env.NO_COLOR && util.styleText
  let rest = ''

  width = Math.max(width, name.length)

  return chunk => {
    const lines = (rest + chunk).split('\n')

    rest = lines.pop()
    for (const line of lines) {
      const prefix = `${name.padEnd(width)} |`

      stream.write(`${isColoured ? util.styleText(colour, prefix) : prefix} ${line}\n`)
    }
  }
}
