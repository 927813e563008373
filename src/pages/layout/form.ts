import type { FastifyRequest } from 'fastify'
import type Type from 'typebox'
import { Check } from 'typebox/value'
import { SpamDetected } from '#spam/spam-detected.ts'
import { offerCaptcha } from '../sign-in/captcha.ts'
import { attempt, type Problems, type Result } from './attempt.ts'
import { checkbox, checkboxes, type Field, type FormTag, field, formOf, selectField, textArea } from './field.ts'
import { findProblems } from './find-problems.ts'
import { type Html, html } from './html.ts'
import { readBody } from './read-body.ts'

type NameIn<Schema extends Type.TObject> = keyof Schema['properties'] & string

interface Options extends Omit<Field, 'name' | 'value'> {
  /** What to enter, instead of the reason for which the schema refuses a value. */
  invalid?: string
  /** Further names under which a use case refuses the field. */
  reasons?: string[]
}

/** The fields of a form as they are shown: what is stored or was typed, by the names of the REST API, and what is wrong with it. */
export class Form<Schema extends Type.TObject = Type.TObject> {
  problems: Problems = {}
  schema: Type.TObject
  protected values: Record<string, unknown>
  /** The fields that the schema refuses. */
  protected invalid: string[] = []
  #shown = new Set<string>()

  constructor(schema: Schema, values: { [Name in NameIn<Schema>]?: unknown } = {}) {
    this.schema = schema
    this.values = values
  }

  get hasProblems() {
    return Object.keys(this.problems).length > 0
  }

  field(name: NameIn<Schema>, { type = 'text', attributes, ...given }: Options & { type?: string }) {
    const value = type === 'password' ? undefined : this.text(name)

    return field({ ...this.#basics(name, given), type, value, attributes: { ...attributesOf(this.#property(name)), ...attributes } })
  }

  textArea(name: NameIn<Schema>, { attributes, ...given }: Options) {
    const value = this.list(name).join('\n')

    return textArea({ ...this.#basics(name, given), value, attributes: { ...attributesOf(this.#property(name)), ...attributes } })
  }

  select(name: NameIn<Schema>, { options, ...given }: Options & { options: [value: string, label: string][] }) {
    return selectField({ ...this.#basics(name, { isRequired: false, ...given }), value: this.text(name), options })
  }

  /** The value is sent when it is checked; it tells the boxes of several forms apart. */
  checkbox(name: NameIn<Schema>, { value = 'true', label, hint }: Pick<Options, 'label' | 'hint'> & { value?: string }) {
    return checkbox({ name, value, label, hint, isChecked: this.isChecked(name) })
  }

  /** One of the values of a list. */
  choice(name: NameIn<Schema>, value: string, { label, hint }: Pick<Options, 'label' | 'hint'>) {
    return checkbox({ name, value, label, hint, isChecked: this.list(name).includes(value) })
  }

  checkboxes(
    name: NameIn<Schema>,
    { legend, options, invalid }: { legend: string; options: [value: string, hint: string][]; invalid?: string }
  ) {
    return checkboxes({ name, legend, options, chosen: this.list(name), error: this.error(name, { invalid }) })
  }

  /** A form with what is wrong with it as a whole, and with fields that it does not show. */
  render(request: FastifyRequest, tag: FormTag, content: Html) {
    return formOf(request, tag, html`${this.notices()}${content}`)
  }

  /** The problems that no field has shown so far. */
  notices() {
    const others = Object.keys(this.problems).filter(name => !this.#shown.has(name))

    return others.map(name => this.notice(name))
  }

  /** The problem of the whole form, for pages that show it outside of `render`. */
  notice(name = 'base') {
    const text = this.error(name)

    return text && html`<p class="problem" role="alert">${text}</p>`
  }

  /** The problem of a field, for fields that the page renders itself. */
  error(name: string, { invalid, reasons = [] }: Pick<Options, 'invalid' | 'reasons'> = {}) {
    for (const one of [name, ...reasons]) this.#shown.add(one)
    if (invalid && this.invalid.includes(name)) return invalid

    return [name, ...reasons].map(one => this.problems[one]).find(Boolean)
  }

  text(name: NameIn<Schema>) {
    return String(this.values[name] ?? '')
  }

  /** The values of a list. */
  list(name: NameIn<Schema>) {
    return [this.values[name] ?? []].flat().map(String)
  }

  isChecked(name: NameIn<Schema>) {
    return this.values[name] === true
  }

  #property(name: string) {
    return this.schema.properties[name] as Property
  }

  #basics(name: string, { invalid, reasons, ...given }: Omit<Options, 'attributes'>) {
    return { name, error: this.error(name, { invalid, reasons }), isRequired: refusesEmpty(this.#property(name)), ...given }
  }
}

/** A form that was sent. */
export class SentForm<Schema extends Type.TObject = Type.TObject> extends Form<Schema> {
  /** As the schema says, unless there are problems. */
  body: Type.Static<Schema>
  #request: FastifyRequest

  constructor(request: FastifyRequest, schema: Schema, verbatim: NameIn<Schema>[]) {
    const { values, body } = readBody(request, schema, verbatim)

    super(schema, values as { [Name in NameIn<Schema>]?: unknown })
    this.#request = request
    this.body = body as Type.Static<Schema>
    this.problems = findProblems(schema, body)
    this.invalid = Object.keys(this.problems)
  }

  /** Ignores a field and its problem. */
  clear(name: NameIn<Schema>) {
    delete this.problems[name]
    Object.assign(this.body, { [name]: null })
  }

  /** Adds why a use case refuses the form, so that everything is named at once. */
  async check(validate: (body: Type.Static<Schema>) => Promise<unknown> | unknown) {
    const { problems } = await attempt(() => validate(this.body), this.schema.properties)

    this.problems = { ...problems, ...this.problems }
  }

  /** Calls a use case with the body. Undefined when the form, or the use case, refuses it: then show the form again. */
  async save<T>(change: (body: Type.Static<Schema>) => Promise<T> | T): Promise<Result<T> | undefined> {
    if (this.hasProblems) return undefined
    const outcome = await attempt(() => change(this.body), this.schema.properties)

    if (!outcome.problems) return outcome
    if (outcome.error instanceof SpamDetected && outcome.error.captcha) offerCaptcha(this.#request, outcome.error.captcha)
    this.problems = outcome.problems

    return undefined
  }
}

/**
 * Reads the fields that the schema names, by its types. The schema is the body of the use case, or the part of it that the page has.
 * `verbatim` fields, such as passwords, keep the spaces around them.
 */
export function readForm<Schema extends Type.TObject>(request: FastifyRequest, schema: Schema, verbatim: NameIn<Schema>[] = []) {
  return new SentForm(request, schema, verbatim)
}

interface Property extends Type.TSchema {
  type?: string
  maxLength?: number
  anyOf?: Property[]
}

/** What browsers check while one types. */
function attributesOf({ type, maxLength, anyOf = [] }: Property): NonNullable<Field['attributes']> {
  if (type === 'integer' || type === 'number') return { class: 'short', inputmode: 'numeric' }
  if (maxLength !== undefined) return { maxlength: maxLength }

  return anyOf.map(attributesOf).find(found => Object.keys(found).length > 0) ?? {}
}

function refusesEmpty(property: Property) {
  return property.type !== 'array' && !Check(property, '') && !Check(property, null)
}
