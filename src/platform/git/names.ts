const control = /[\0-\x1f\x7f]/
const forbidden = /[\s~^:?*[\\]|\.\.|@\{|\/\/|\/\.|\.\/|\.lock(\/|$)/
const navigation = /^([~^]\d{0,4}){0,10}$/

/** The name of a branch or tag: git-check-ref-format(1), without names that read as an option or as HEAD. */
export function isRefName(name: string) {
  return (
    name !== '' &&
    name.length <= 255 &&
    name !== '@' &&
    name !== 'HEAD' &&
    !/^[-/.]|[/.]$/.test(name) &&
    !control.test(name) &&
    !forbidden.test(name)
  )
}

/** A branch, tag or sha, perhaps followed by `~2` or `^`. Searches in the history, such as `:/text`, are none. */
export function isRevision(text: string) {
  const name = text.split(/[~^]/, 1)[0] ?? ''

  return (name === 'HEAD' || isRefName(name)) && navigation.test(text.slice(name.length))
}

export function isSha(text: string) {
  return /^[0-9a-f]{4,40}$/.test(text)
}

/** A path within a repository. */
export function isFilePath(path: string) {
  const names = path.split('/')

  return path.length <= 1024 && names.length <= 100 && !control.test(path) && names.every(isFileName)
}

/** Git stores no file whose name any file system could read as its own directory. */
function isFileName(name: string) {
  return name !== '' && name !== '.' && name !== '..' && !/^(\.git|git~\d{1,9})[ .]{0,9}$/i.test(name) && Buffer.byteLength(name) <= 255
}
