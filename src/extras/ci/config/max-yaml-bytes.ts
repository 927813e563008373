/** Of one file, and of all included files together. */
export const maxYamlBytes = 1_048_576
