/** Beyond the length of the payload. */
const maxAdded = 1_048_576

/** Fills `{{object_attributes.title}}` and the like with values of the payload; undefined unless that makes JSON of a bounded length. */
export function fillTemplate(template: string | null | undefined, payload: string) {
  if (!template) return payload
  const values: unknown = JSON.parse(payload)
  const text = fill(template, values, maxAdded + payload.length)

  if (text === undefined) return undefined
  try {
    JSON.parse(text)

    return text
  } catch {
    return undefined
  }
}

/** Stops as soon as the text is longer than `maxLength`: a value can be named a hundred times. */
function fill(template: string, values: unknown, maxLength: number) {
  let text = ''
  let end = 0

  for (const match of template.matchAll(/\{\{\s{0,20}([\w.]{1,200})\s{0,20}\}\}/g)) {
    text += template.slice(end, match.index) + toText(valueAt(values, match[1]!))
    end = match.index + match[0].length
    if (text.length > maxLength) return undefined
  }

  return text + template.slice(end)
}

function valueAt(values: unknown, path: string) {
  return path.split('.').reduce<unknown>((value, name) => {
    return typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined
  }, values)
}

/** Inside a JSON string; objects as JSON. */
function toText(value: unknown) {
  if (value === undefined || value === null) return ''

  return typeof value === 'string' ? JSON.stringify(value).slice(1, -1) : JSON.stringify(value)
}
