import { sql } from 'kysely'
import Type, { type Static } from 'typebox'
import type { EntityManager } from '../platform/database/database.ts'
import { allOf } from '../platform/database/filter.ts'
import type { CustomAttributeTable, SubjectKind } from './custom-attribute.ts'

export const CustomAttributeShape = Type.Object({ key: Type.String(), value: Type.String() })

/** In the query of a list. */
export const customAttributeFilters = {
  custom_attributes: Type.Optional(
    Type.Record(Type.String(), Type.String(), { description: 'Admins only: `custom_attributes[key]=value`.', maxProperties: 20 })
  ),
  with_custom_attributes: Type.Optional(Type.Boolean({ description: 'Admins only: adds `custom_attributes` to the rows.' }))
}

/** In the response. */
export const customAttributeFields = { custom_attributes: Type.Optional(Type.Array(CustomAttributeShape)) }

/** Rows with all these attributes. Only admins see attributes: for others, nothing matches. */
export function hasCustomAttributes(kind: SubjectKind, id: string, wanted: Record<string, string> = {}, viewer?: { isAdmin: boolean }) {
  const conditions = Object.entries(wanted).map(
    ([key, value]) => sql`${sql.ref(id)} IN (SELECT ${sql.ref(`${kind}_id`)} FROM custom_attributes
      WHERE key = ${key} AND md5(value) = md5(${value}) AND value = ${value})`
  )

  return allOf(...conditions, conditions.length > 0 && !viewer?.isAdmin && sql`false`)
}

type Presented<Row> = Row & { custom_attributes?: Static<typeof CustomAttributeShape>[] }

/** Adds the attributes to presented rows when they are asked for. The caller has checked that an admin asks. */
export async function addCustomAttributes<Row extends { id: number }>(
  em: EntityManager,
  kind: SubjectKind,
  rows: Row[],
  isWanted: boolean | undefined
): Promise<Presented<Row>[]> {
  if (!isWanted || rows.length === 0) return rows
  const subject = `${kind}_id` as const
  const attributes = await em
    .getKysely<{ custom_attributes: CustomAttributeTable }>()
    .selectFrom('custom_attributes')
    .select([`${subject} as subjectId`, 'key', 'value'])
    .where(
      subject,
      'in',
      rows.map(({ id }) => id)
    )
    .orderBy('id')
    .execute()
  const bySubject = Map.groupBy(attributes, ({ subjectId }) => Number(subjectId))

  return rows.map(row => ({ ...row, custom_attributes: (bySubject.get(row.id) ?? []).map(({ key, value }) => ({ key, value })) }))
}
