/** Replaces a secret. */
export const redacted = '[Filtered]'
