import { type Html, html, trusted } from '../html.ts'

type Fields = Record<string, string[]>

/** Types whose text is shown again. Hidden fields keep the page's value, except for the version that the text was written for. */
const textTypes = /^(text|search|email|url|number|tel|date|datetime-local)$/

/** Writes what was typed into the controls of a form; undefined if none of them shows any of it. */
export function fillForm(content: Html, fields: Fields): Html | undefined {
  let isFilled = false
  const valuesOf = (attributes: string) => {
    const name = unescapeHtml(/ name="([^"]*)"/.exec(attributes)?.[1] ?? '')

    return attributes.includes(' readonly') || !Object.hasOwn(fields, name) ? undefined : fields[name]
  }
  const fill = (control: Html | undefined) => {
    isFilled ||= control !== undefined

    return control
  }
  const filled = content
    .toString()
    .replace(/<textarea([^<>]*)>[^<]*<\/textarea>/g, (given, attributes: string) => {
      const [value] = valuesOf(attributes) ?? []

      return String(value === undefined ? given : fill(html`<textarea${trusted(attributes)}>${value}</textarea>`))
    })
    .replace(/<input([^<>]*)>/g, (given, attributes: string) => {
      const values = valuesOf(attributes)
      const type = / type="([^"]*)"/.exec(attributes)?.[1] ?? 'text'

      if (type === 'checkbox' || type === 'radio') {
        const choice = setChecked(given, values ?? [])

        isFilled ||= choice !== given

        return choice
      }
      if (values === undefined) return given
      if (/ type="hidden" name="version"/.test(attributes)) return withValue(attributes, values[0]!)

      return textTypes.test(type) ? String(fill(trusted(withValue(attributes, values[0]!)))) : given
    })
    .replace(/<select([^<>]*)>((?:<option[^<>]*>[^<]*<\/option>)*)<\/select>/g, (given, attributes: string, options: string) => {
      const [value] = valuesOf(attributes) ?? []

      return value === undefined ? given : `<select${attributes}>${select(options, value)}</select>`
    })

  return isFilled ? trusted(filled) : undefined
}

function withValue(attributes: string, value: string) {
  return `<input${attributes.replace(/ value="[^"]*"/, '')}${html` value="${value}"`}>`
}

function setChecked(given: string, values: string[]) {
  const isChecked = values.includes(unescapeHtml(/ value="([^"]*)"/.exec(given)?.[1] ?? 'on'))

  return given.replace(/ checked(?=[ >])/, '').replace(/>$/, isChecked ? ' checked>' : '>')
}

function select(options: string, value: string) {
  return options.replace(/<option([^<>]*)>/g, (_option, attributes: string) => {
    const isSelected = unescapeHtml(/ value="([^"]*)"/.exec(attributes)?.[1] ?? '') === value

    return `<option${attributes.replace(/ selected(?=[ ]|$)/, '')}${isSelected ? ' selected' : ''}>`
  })
}

/** `html` escapes five characters by their code. */
function unescapeHtml(text: string) {
  return text.replace(/&#(\d+);/g, (_reference, code: string) => String.fromCharCode(Number(code)))
}
