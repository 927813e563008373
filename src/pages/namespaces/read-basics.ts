import type { FastifyRequest } from 'fastify'
import { toPath } from '../../namespaces/paths.ts'
import { textOf } from '../layout/forms.ts'
import { type BasicForm, visibilities } from './basic-fields.ts'

export function readBasics(request: FastifyRequest): BasicForm {
  const text = (name: string) => textOf(request, name).trim()

  return { name: text('name'), path: text('path'), description: text('description'), visibility: text('visibility') || 'private' }
}

/** The body of the REST API for something new. */
export function toNewBody({ name, path, description, visibility }: BasicForm) {
  return { name, path: path || toPath(name), description, visibility: visibilityOf(visibility) }
}

export function visibilityOf(text: string) {
  return visibilities.find(([value]) => value === text)?.[0] ?? 'private'
}

/** The id that a query or a field names. */
export function idOf(text: string | undefined) {
  return text && /^\d{1,15}$/.test(text) ? Number(text) : undefined
}
