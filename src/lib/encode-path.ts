/** A path for a URL, in which slashes separate its segments. */
export function encodePath(path: string) {
  return path.split('/').map(encodeURIComponent).join('/')
}
