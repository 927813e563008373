/** Lines of a script, or other texts: one, or nested lists of them. */
export function linesOf(given: unknown) {
  return given === undefined || given === null ? [] : ([given].flat(10) as string[])
}
