/** Fills `{{object_attributes.title}}` and the like with values of the payload; undefined unless that makes JSON. */
export function fillTemplate(template: string | null | undefined, payload: string) {
  if (!template) return payload
  const values: unknown = JSON.parse(payload)
  const text = template.replaceAll(/\{\{\s{0,20}([\w.]{1,200})\s{0,20}\}\}/g, (_whole, path: string) => toText(valueAt(values, path)))

  try {
    JSON.parse(text)

    return text
  } catch {
    return undefined
  }
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
