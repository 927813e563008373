const name = 'url_credentials'

/**
 * The user and password of a URL become a URL variable, which is encrypted and never shown. What already is only variables stays.
 *
 *     hideCredentials('https://ci:secret@a.test/') // { url: 'https://{url_credentials}@a.test/', variables: { url_credentials: 'ci:secret' } }
 */
export function hideCredentials(url: string): { url: string; variables: Record<string, string> } {
  const [, scheme = '', credentials = ''] = /^\s*(https?:[/\\]{2})([^/\\?#]*)@/i.exec(url) ?? []
  const isHidden = /^(\{[A-Za-z0-9_-]{1,100}\}:?){0,2}$/.test(credentials)

  if (isHidden) return { url, variables: {} }

  return { url: `${scheme}{${name}}${url.trimStart().slice(scheme.length + credentials.length)}`, variables: { [name]: credentials } }
}
