/** What a picture may be: how its bytes begin, and what its name may end in. None of them can hold a script. */
const kinds = [
  { type: 'image/png', begins: /^89504e470d0a1a0a/, extensions: ['png'] },
  { type: 'image/jpeg', begins: /^ffd8ff/, extensions: ['jpg', 'jpeg'] },
  { type: 'image/gif', begins: /^474946383[79]61/, extensions: ['gif'] },
  { type: 'image/webp', begins: /^52494646.{8}57454250/, extensions: ['webp'] }
]

export const extensions = kinds.flatMap(kind => kind.extensions)

/** The type of a picture, by its content; nothing when that, or its name, is not a picture's. */
export function imageType(data: Buffer, filename: string) {
  const head = data.toString('hex', 0, 16)
  const extension = filename.split('.').at(-1)!.toLowerCase()

  if (!extensions.includes(extension)) return undefined

  return kinds.find(({ begins }) => begins.test(head))?.type
}
