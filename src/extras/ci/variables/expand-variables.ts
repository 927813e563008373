import type { Variables } from '../config/evaluate-expression.ts'

/** Replaces `$NAME` and `${NAME}`. A variable that does not exist is empty. */
export function expandVariables(text: string, variables: Variables) {
  return text.replaceAll(/\$\{(\w+)\}|\$(\w+)/g, (_, braced, plain) => variables.get(braced ?? plain) ?? '')
}
