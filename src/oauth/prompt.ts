import { InvalidRequest } from './errors.ts'

/** OpenID Connect Core §3.1.2.1: `none` stands alone. Unknown values are ignored. */
export function checkPrompt(prompt = '') {
  const prompts = prompt.split(' ').filter(Boolean)

  if (prompts.includes('none') && prompts.length > 1) throw new InvalidRequest('The prompt none cannot be combined with others.')

  return prompts
}

export function checkMaxAge(maxAge: string | undefined) {
  if (maxAge === undefined) return undefined
  if (!/^\d{1,9}$/.test(maxAge)) throw new InvalidRequest('The max_age is not a number of seconds.')

  return Number(maxAge)
}
