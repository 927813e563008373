import { ValidationFailed } from '../../http/problems/problems.ts'

/** Refuses patterns that can match no tag: tags are names with a value. */
export function checkTagPatterns(attribute: string, patterns: string[] = []) {
  const invalid = patterns.find(pattern => !/^[^=]{1,200}=/.test(pattern))

  if (invalid !== undefined)
    throw new ValidationFailed({ [attribute]: [`"${invalid}" has no value: write a name and a value, such as service=shop`] })
}
