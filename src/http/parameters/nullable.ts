import Type from 'typebox'

/** A member that is always there, and may hold nothing. */
export function Nullable<Schema extends Type.TSchema>(schema: Schema) {
  return Type.Union([schema, Type.Null()])
}
