import { field } from '../layout/field.ts'
import { html } from '../layout/html.ts'

const shortest = 8
/** More is no safer, and costs us time. */
const longest = 256

export interface PasswordProblems {
  current?: string
  password?: string
  again?: string
}

export function checkNewPassword(password: string, again: string): PasswordProblems | undefined {
  if (password.length < shortest) return { password: `Use at least ${shortest} characters.` }
  if (password.length > longest) return { password: `Use at most ${longest} characters.` }

  return password === again ? undefined : { again: 'The two do not match.' }
}

export function newPasswordFields(problems: PasswordProblems = {}) {
  const asNew = { type: 'password', autocomplete: 'new-password', isRequired: true }

  return html`
    ${field({
      ...asNew,
      name: 'password',
      label: 'New password',
      hint: `At least ${shortest} characters.`,
      error: problems.password,
      with: { minlength: shortest }
    })}
    ${field({ ...asNew, name: 'again', label: 'New password, once more', error: problems.again })}`
}
