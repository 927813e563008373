import { configFor } from './config.ts'

const { extras } = configFor('postgres', 'extras')

/** For `skip`: whether EXTRAS leaves out an extra that the test needs. */
export function without(...names: (typeof extras)[number][]): string | false {
  const missing = names.filter(name => !extras.includes(name))

  return missing.length > 0 && `EXTRAS leaves out ${missing.join(', ')}`
}
