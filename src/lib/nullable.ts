import Type from 'typebox'

/** A required member that may be null. */
export function Nullable<Schema extends Type.TSchema>(schema: Schema) {
  return Type.Union([schema, Type.Null()])
}
