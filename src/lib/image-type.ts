/** Accepted image types with their magic bytes and file name extensions. None of them can contain scripts. */
const imageTypes = [
  { type: 'image/png', magic: /^89504e470d0a1a0a/, extensions: ['png'] },
  { type: 'image/jpeg', magic: /^ffd8ff/, extensions: ['jpg', 'jpeg'] },
  { type: 'image/gif', magic: /^474946383[79]61/, extensions: ['gif'] },
  { type: 'image/webp', magic: /^52494646.{8}57454250/, extensions: ['webp'] }
]

export const extensions = imageTypes.flatMap(type => type.extensions)

/** By content; undefined unless both content and file name are those of an image. */
export function imageType(data: Buffer, filename: string) {
  const head = data.toString('hex', 0, 16)

  if (!typeOfName(filename)) return undefined

  return imageTypes.find(({ magic }) => magic.test(head))?.type
}

/** By the extension of a file name. */
export function typeOfName(filename: string) {
  const extension = filename.split('.').at(-1)!.toLowerCase()

  return imageTypes.find(({ extensions }) => extensions.includes(extension))?.type
}

/** For a response with an image of a user. It can be valid as another type, too: it must not run as HTML or a script of this origin. */
export function imageHeaders(type: string) {
  return {
    'content-type': type,
    'content-security-policy': "default-src 'none'; sandbox"
  }
}
