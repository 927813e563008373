import util from 'node:util'

const colours = ['cyan', 'magenta', 'green', 'yellow', 'blue', 'red']
let width = 10
let used = 0

/** A writer that puts every line of a process under its own name and colour. */
export function prefixed(name, stream = process.stdout) {
  const colour = colours[used++ % colours.length]
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
