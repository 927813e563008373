const closing = /^(?:fix(?:es|ed)?|close[sd]?|resolve[sd]?):?$/i
const reference = /^([\w.-]{1,255})-(\d{1,15})(?![\w-])/
const maxErrors = 50

/** The ids of the errors that a commit fixes: `Fixes SHOP-12 and SHOP-13` in the project with the path `shop`. */
export function fixedErrors(message: string, projectPath: string) {
  const ids = new Set<number>()
  let isClosing = false

  for (const word of message.split(/[\s,]+/)) {
    const [, path, id] = reference.exec(word) ?? []

    if (isClosing && path?.toLowerCase() === projectPath.toLowerCase()) ids.add(Number(id))
    isClosing = closing.test(word) || (isClosing && (id !== undefined || word.toLowerCase() === 'and'))
  }

  return [...ids].slice(0, maxErrors)
}
