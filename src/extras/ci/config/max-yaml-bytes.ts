/** Limit for one file, and for all included files together. */
export const maxYamlBytes = 1_048_576
