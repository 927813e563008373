import type { Mapping } from '../parse/mapping.ts'

/** The mapping for what a sender really sends. */
export interface Preset {
  name: string
  label: string
  kind: 'http' | 'prometheus'
  mapping: Mapping
}
