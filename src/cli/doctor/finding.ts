export interface Finding {
  check: string
  state: 'ok' | 'warning' | 'problem'
  message: string
  /** How to mend it. */
  fix?: string
}

export function fine(check: string, message: string): Finding {
  return { check, state: 'ok', message }
}

export function warning(check: string, message: string, fix?: string): Finding {
  return { check, state: 'warning', message, ...(fix && { fix }) }
}

export function problem(check: string, message: string, fix?: string): Finding {
  return { check, state: 'problem', message, ...(fix && { fix }) }
}
