/** Writes the answers of a route, given the schema of these. */
export type WriterOf = (route: { schema?: unknown; method?: string; url?: string; httpStatus?: string }) => (answer: unknown) => string

/**
 * Answers are made for their schemas, and tests hold each of them against its own. So nothing is left to do but to write
 * JSON, which V8 does in less than half the time, and with a fifth of the garbage, of what is made from a schema.
 */
export const writeJson: WriterOf = () => answer => JSON.stringify(answer)
