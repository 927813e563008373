import type { FastifyRequest } from 'fastify'
import type { Visibility } from '#namespaces/namespace.ts'
import { toPath } from '#namespaces/paths.ts'
import { textOf } from '../layout/forms.ts'
import type { BasicForm } from './basic-fields.ts'

export function readBasics(request: FastifyRequest): BasicForm {
  const text = (name: string) => textOf(request, name).trim()

  return { name: text('name'), path: text('path'), description: text('description'), visibility: text('visibility') }
}

/** Of a stored project or group. */
export function basicsOf({
  name,
  path,
  description,
  visibility
}: Omit<BasicForm, 'description'> & { description?: string | null }): BasicForm {
  return { name, path, description: description ?? '', visibility }
}

/** The body of the REST API for something new; its schema checks the visibility. */
export function toNewBody({ name, path, description, visibility }: BasicForm) {
  return { name, path: path || toPath(name), description, visibility: (visibility || 'private') as Visibility }
}

/** The changes of the REST API, without the path. */
export function toChanges({ name, description, visibility }: BasicForm) {
  return { name, description, ...(visibility && { visibility: visibility as Visibility }) }
}

/** The id that a query or a field names. */
export function idOf(text: string | undefined) {
  return text && /^\d{1,15}$/.test(text) ? Number(text) : undefined
}
