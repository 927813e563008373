export interface Person {
  name: string
  email: string
}

/** For `commit-tree` and `mktag`. */
export function signedBy(author: Person, committer: Person = author) {
  return {
    GIT_AUTHOR_NAME: toName(author.name),
    GIT_AUTHOR_EMAIL: toName(author.email),
    GIT_COMMITTER_NAME: toName(committer.name),
    GIT_COMMITTER_EMAIL: toName(committer.email)
  }
}

/** Git refuses names of nothing but signs that it removes. */
function toName(text: string) {
  const name = text
    .replaceAll(/[\0-\x1f<>]/g, ' ')
    .trim()
    .slice(0, 255)

  return /[\p{L}\p{N}]/u.test(name) ? name : 'unknown'
}
