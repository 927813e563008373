import { isDeepStrictEqual } from 'node:util'
import { ValidationFailed } from '#lib/refusals.ts'

/** The patterns of a rule or a mute. The name of the member is `tags`; `labels`, as alerts call them, is its alias. */
export function readTagPatterns({ tags, labels }: { tags?: string[]; labels?: string[] }) {
  if (tags && labels && !isDeepStrictEqual(tags, labels))
    throw new ValidationFailed({ labels: ['is another name of tags, and differs from it: give one of the two'] })
  const patterns = tags ?? labels
  // Tags are names with a value.
  const invalid = patterns?.find(pattern => !/^[^=]{1,200}=/.test(pattern))

  if (invalid !== undefined)
    throw new ValidationFailed({
      [tags ? 'tags' : 'labels']: [`"${invalid}" has no value: write a name and a value, such as service=shop`]
    })

  return patterns
}
