import { BadParameter } from '#api/problems/problems.ts'

const maxLength = 255

/** The names of GitLab's generic packages. */
export function checkNames(name: string, version: string, fileName: string) {
  if (!isName(name)) throw new BadParameter("package_name can contain only letters, digits, '.', '_', '-' and '+', at most 255")
  if (!isName(version)) throw new BadParameter("package_version can contain only letters, digits, '.', '_', '-' and '+', at most 255")
  if (!isFileName(fileName))
    throw new BadParameter("file_name can contain only letters, digits, '.', '_', '-', '+', '~', '@' and '/', at most 255, without '..'")
}

function isName(text: string) {
  return /^[\w.+-]+$/.test(text) && text.length <= maxLength && !text.includes('..')
}

function isFileName(text: string) {
  const segments = text.split('/')

  return text.length <= maxLength && segments.every(segment => /^[\w.+~@-]+$/.test(segment) && segment !== '.' && segment !== '..')
}
