/** `@name` or `@all`, but not the domain of an e-mail address. Postgres takes its source, too. */
export const mention = /(?<![\w.@])@([a-z0-9_][\w.-]{0,254})/gi

/** The user names that a text mentions, in lower case. A sentence may end after a name. */
export function mentionsIn(text: string) {
  return new Set([...text.matchAll(mention)].map(([, name]) => name!.replace(/[.-]$/, '').toLowerCase()))
}
