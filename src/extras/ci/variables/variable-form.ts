import type { FastifyRequest } from 'fastify'
import { checkBody } from '#pages/layout/check-body.ts'
import { textOf } from '#pages/layout/forms.ts'
import { catchValidation, type Problems } from '#pages/projects/page-context.ts'
import type { VariableChanges } from './change-variable.ts'
import type { CiVariable, VariableType } from './variable.ts'
import { NewVariableBody } from './variable-schemas.ts'

/** A variable as it is typed. A stored value is not shown; an empty one keeps it. */
export interface VariableForm {
  key: string
  value: string
  type: string
  environmentScope: string
  description: string
  /** `visible`, `masked` or `hidden`. */
  visibility: string
  isProtected: boolean
  isRaw: boolean
}

export function blankForm(): VariableForm {
  return {
    ...{ key: '', value: '', type: 'env_var', environmentScope: '*', description: '' },
    ...{ visibility: 'visible', isProtected: false, isRaw: false }
  }
}

export function formOfVariable({
  key,
  type,
  environmentScope,
  description,
  isHidden,
  isMasked,
  isProtected,
  isRaw
}: CiVariable): VariableForm {
  const visibility = isHidden ? 'hidden' : isMasked ? 'masked' : 'visible'

  return { key, value: '', type, environmentScope, description: description ?? '', visibility, isProtected, isRaw }
}

export function readVariableForm(request: FastifyRequest): VariableForm {
  const text = (name: string) => textOf(request, name).trim()

  return {
    key: text('key'),
    // Browsers send CR LF, which scripts would stumble over.
    value: textOf(request, 'value').replaceAll('\r\n', '\n'),
    type: text('variable_type'),
    environmentScope: text('environment_scope') || '*',
    description: text('description'),
    visibility: text('visibility'),
    isProtected: text('protected') !== '',
    isRaw: text('raw') !== ''
  }
}

const reasons: Problems = {
  key: 'Enter a name of letters, digits and _, up to 255 characters.',
  value: 'A value has at most 10,000 characters.',
  description: 'A description has at most 255 characters.',
  environment_scope: 'An environment scope has at most 255 characters.',
  variable_type: 'Choose one of the types.'
}

/** What the REST API would refuse, by field. */
export async function findProblems({ key, value, type, environmentScope, description }: VariableForm): Promise<Problems | undefined> {
  const body = { key, value, variable_type: type, environment_scope: environmentScope, description }
  const { problems } = await catchValidation(() => checkBody(NewVariableBody, body))

  return problems && Object.fromEntries(Object.entries(problems).map(([name, problem]) => [name, reasons[name] ?? problem]))
}

/** An empty value keeps the stored one. */
export function toChanges(form: VariableForm): VariableChanges & { key: string } {
  const isHidden = form.visibility === 'hidden'

  return {
    key: form.key,
    value: form.value || undefined,
    type: form.type as VariableType,
    description: form.description || null,
    environmentScope: form.environmentScope,
    isProtected: form.isProtected,
    isMasked: isHidden || form.visibility === 'masked',
    isHidden,
    isRaw: form.isRaw
  }
}
