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

const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB']

/** As people read it: "0 bytes", "1.5 MiB". */
export function byteSize(bytes: number) {
  const unit = bytes < 1024 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), units.length - 1)
  const value = bytes / 1024 ** unit

  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${bytes === 1 ? 'byte' : units[unit]}`
}
