/** A code block whose fence its content cannot close: the content is written by applications and their users. */
export function codeBlock(text: string) {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)

  return `${fence}\n${text}\n${fence}`
}

/** One line of at most so many characters. */
export function line(text: unknown, max = 200) {
  const single = String(text).replace(/\s+/g, ' ').trim()

  return single.length > max ? `${single.slice(0, isSurrogatePair(single, max - 1) ? max - 2 : max - 1)}…` : single
}

/** A list of `name: value`, without the values that are missing. */
export function facts(values: Record<string, unknown>) {
  return Object.entries(values)
    .filter(([, value]) => !isMissing(value))
    .map(([name, value]) => `- ${name}: ${line(Array.isArray(value) ? value.join(', ') : value, 500)}`)
    .join('\n')
}

/** Sections that have content, one after the other. */
export function sections(...parts: (string | undefined | false | null)[]) {
  return parts.filter(Boolean).join('\n\n')
}

export function section(title: string, content: string | undefined) {
  return content && `## ${title}\n\n${content}`
}

/** Without members that say nothing: they would only cost the model's attention. */
export function compact<Value extends object>(value: Value) {
  const members = Object.entries(value).filter(([, member]) => !isMissing(member))

  return Object.fromEntries(members) as { [Name in keyof Value]?: NonNullable<Value[Name]> }
}

/** Cuts long text at the end of a line; `rest` says where the rest is. */
export function bounded(text: string, max: number, rest?: string) {
  if (text.length <= max) return text
  const kept = text.slice(0, endOfLine(text, max))

  return `${kept}\n… (${text.length - kept.length} more characters were left out${rest ? `: ${rest}` : ''})`
}

/** Where to cut text: after a line, or else between two characters. */
export function endOfLine(text: string, max: number) {
  const lineBreak = text.lastIndexOf('\n', max)

  if (text.length <= max) return text.length
  if (lineBreak > max / 2) return lineBreak

  return isSurrogatePair(text, max) ? max - 1 : max
}

function isSurrogatePair(text: string, at: number) {
  return text.charCodeAt(at - 1) >> 10 === 0x36 && text.charCodeAt(at) >> 10 === 0x37
}

function isMissing(value: unknown) {
  return value === undefined || value === null || value === '' || value === false || (Array.isArray(value) && value.length === 0)
}
