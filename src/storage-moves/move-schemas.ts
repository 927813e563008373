import Type from 'typebox'
import { Nullable } from '#lib/nullable.ts'
import type { MoveRow } from './list-moves.ts'
import type { MoveKind } from './move-kinds.ts'

const Storage = Type.String({ maxLength: 255 })
const Destination = Type.Optional(Nullable(Type.String({ maxLength: 255, description: 'Chosen by weight if missing.' })))

export const NewMove = Type.Object({ destination_storage_name: Destination })
export const NewBulkMove = Type.Object({ source_storage_name: Storage, destination_storage_name: Destination })
export const Accepted = Type.Object({ message: Type.String() })

export function shapeOf({ name, shape }: MoveKind) {
  return Type.Object({
    id: Type.Integer(),
    created_at: Type.String(),
    state: Type.Enum(['initial', 'scheduled', 'started', 'replicated', 'finished', 'failed', 'cleanup failed']),
    source_storage_name: Type.String(),
    destination_storage_name: Type.String(),
    error_message: Nullable(Type.String()),
    [name]: shape
  })
}

export function presentMove({ name, present }: MoveKind, { subject, ...move }: MoveRow, baseUrl: string) {
  return {
    id: move.id,
    created_at: move.created_at.toISOString(),
    state: move.state,
    source_storage_name: move.source_storage,
    destination_storage_name: move.destination_storage,
    error_message: move.error_message,
    [name]: present(subject as never, baseUrl)
  }
}
