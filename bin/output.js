import util from 'node:util'

const colours = ['cyan', 'magenta', 'green', 'yellow', 'blue', 'red']
let width = 10
let count = 0

/** Returns a writer that prefixes every line with a process name in a colour of its own. */
export function prefixed(name, stream = process.stdout) {
  const colour = colours[count++ % colours.length]
  let rest = ''

  width = Math.max(width, name.length)

  return chunk => {
    const lines = (rest + chunk).split('\n')

    rest = lines.pop()
    for (const line of lines) stream.write(`${paint(colour, `${name.padEnd(width)} |`, stream)} ${line}\n`)
  }
}

function paint(colour, text, stream) {
  return stream.isTTY && !process.env.NO_COLOR && util.styleText ? util.styleText(colour, text) : text
}
