import type { Selectable } from 'kysely'

/** A row as `to_jsonb` returns it: times are strings. */
export type JsonRow<Table> = { [Column in keyof Selectable<Table>]: DatesAsText<Selectable<Table>[Column]> }

type DatesAsText<Value> = Value extends Date ? string : Value
