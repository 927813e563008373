import { checkbox, field } from '#pages/layout/field.ts'
import { attributes, html } from '#pages/layout/html.ts'
import { maxAdded, type PairKind, type Pairs } from './pairs.ts'

interface Texts {
  legend: string
  hint: string
  /** An example of a name. */
  example: string
  error: string | undefined
}

/** Stored pairs, whose values stay when they are left empty, and rows for further ones: a row appears once the one before it has a name. */
export function pairFields(kind: PairKind, { stored, added }: Pairs, { legend, hint, example, error }: Texts) {
  const blank = { key: '', value: '' }
  const rows = Array.from({ length: maxAdded }, (_, n) => added[n] ?? blank)
  const id = `${kind}s`

  return html`
    <details class="values"${attributes({ open: stored.length + added.length > 0 || error !== undefined })}>
      <summary>${legend}</summary>
      <fieldset${attributes({ 'aria-describedby': error ? `${id}-error ${id}-hint` : `${id}-hint` })}>
        <legend class="visually-hidden">${legend}</legend>
        ${error && html`<p class="error" id="${id}-error">${error}</p>`}
        <p class="hint" id="${id}-hint">${hint}</p>
        ${stored.map(({ key, isRemoved }) => storedPair(kind, key, isRemoved))}
        ${rows.map(({ key }, n) => newPair(kind, n, { key, example }))}
      </fieldset>
    </details>`
}

function storedPair(kind: PairKind, key: string, isRemoved: boolean) {
  return html`
    <div class="pair">
      ${secret(`${kind}_secret_of_${key}`, key, 'Stored. Leave empty to keep it.')}
      ${checkbox({ name: `removed_${kind}s`, value: key, label: `Delete ${key}`, isChecked: isRemoved })}
    </div>`
}

function newPair(kind: PairKind, n: number, { key, example }: { key: string; example: string }) {
  const attributes = {
    placeholder: example,
    maxlength: 100,
    pattern: '[A-Za-z0-9_\\-]{1,100}',
    spellcheck: 'false',
    autocapitalize: 'none'
  }

  return html`
    <div class="pair new">
      ${field({ name: `${kind}_name_${n}`, label: 'Name', value: key, autocomplete: 'off', attributes })}
      ${secret(`${kind}_secret_${n}`, 'Value')}
    </div>`
}

function secret(name: string, label: string, hint?: string) {
  return field({ type: 'password', name, label, hint, autocomplete: 'off', attributes: { maxlength: 2048 } })
}
