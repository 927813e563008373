import type Type from 'typebox'
import { type Reasons, ValidationFailed } from '../../../http/problems/problems.ts'
import {
  addRow,
  changeRow,
  type ProjectAdmin,
  type ProjectResource,
  type ProjectRow
} from '../../../notifications/resources/project-resource.ts'
import type { EntityManager } from '../../../platform/database/database.ts'
import { checkBody } from '../../validation/check-body.ts'
import { catchValidation, type PageContext } from '../page-context.ts'

/** Adds a row of the project, or changes the one with the id. Returns the row, or what is wrong with the form, by field. */
export function saveRow<Row extends ProjectRow, Body extends Type.TObject>(
  { em, admin }: PageContext,
  resource: ProjectResource<Row, Body>,
  body: Type.Static<Body>,
  id?: number
) {
  return catchValidation(() => putRow(em.fork(), admin, resource, body, id))
}

/** As `saveRow`, in the caller's transaction. Throws the reasons of each field, and of each setting as those of a field. */
export async function putRow<Row extends ProjectRow, Body extends Type.TObject>(
  em: EntityManager,
  admin: ProjectAdmin,
  resource: ProjectResource<Row, Body>,
  body: Type.Static<Body>,
  id?: number
): Promise<Row> {
  const at = new Date()

  checkBody(resource.body, body)
  try {
    return await (id === undefined
      ? addRow(em, admin, resource, body, at)
      : changeRow(em, admin, resource, id, body as Partial<Type.Static<Body>>, at))
  } catch (error) {
    throw withSettings(error)
  }
}

/** The reasons of each setting become those of a field. */
export function withSettings(error: unknown) {
  const { settings, ...others } = (error instanceof ValidationFailed && (error.body as { message: Reasons }).message) || {}

  return settings && !Array.isArray(settings) ? new ValidationFailed({ ...others, ...settings } as Reasons) : error
}
