import Type from 'typebox'
import { notBlank } from './read-arguments.ts'

export function commentBody(maxLength: number) {
  return Type.String({ maxLength, pattern: notBlank, description: 'Markdown.' })
}
