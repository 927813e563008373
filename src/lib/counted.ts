export function count(number: number) {
  return number.toLocaleString('en-GB')
}

/** "1 event", "2,000 events". */
export function counted(number: number, noun: string) {
  return `${count(number)} ${nounFor(number, noun)}`
}

/** The noun in the form that the number asks for. */
export function nounFor(number: number, noun: string) {
  return number === 1 ? noun : `${noun}s`
}
