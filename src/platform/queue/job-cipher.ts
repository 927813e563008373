import { decryptBytes, encryptBytes } from '../database/encryption.ts'
import { type JobContract, type JobData, projectsOf, UnknownKey } from './job.ts'

type Item = Record<string, unknown>

interface Header {
  items: Item[]
  /** The length of each item's binary member; null when it has none. */
  lengths: (number | null)[]
}

interface StoredJob {
  name: string
  id?: string
  data: JobData
}

const lengthBytes = 4

/** The purpose of the key; see `deriveKey`. */
export const jobKey = 'queued jobs'

/**
 * Encrypts the items of jobs: they hold request bodies as received, and queues, their backups and failed jobs keep them
 * for weeks. The ciphertext is bound to the name and the id of its job.
 */
export class JobCipher {
  #key: Buffer

  constructor(key: Buffer) {
    this.#key = key
  }

  seal(contract: JobContract, id: string, items: unknown[]): JobData {
    const sealed = encryptBytes(this.#key, pack(items as Item[], contract.binary), ownerOf(contract.name, id))

    return { sealed: sealed.toString('base64'), count: items.length, projects: projectsOf(items) }
  }

  /** The items of a job. Throws when they were encrypted with another key. */
  open({ name, id, data }: StoredJob, binary?: string) {
    if (data.sealed === undefined) return (data.items ?? []).map(item => decodeBinary(item, binary))
    const plain = decryptBytes(this.#key, Buffer.from(data.sealed, 'base64'), ownerOf(name, id!))

    if (!plain) throw new UnknownKey('The job was encrypted with another SECRET_KEY.')

    return unpack(plain, binary)
  }
}

function ownerOf(name: string, id: string) {
  return `${name} ${id}`
}

/** The length of the JSON header, the header, and the binary members. */
function pack(items: Item[], binary: string | undefined) {
  const bytes = items.map(item => (binary && Buffer.isBuffer(item?.[binary]) ? item[binary] : undefined))
  const header: Header = {
    items: items.map((item, n) => (bytes[n] ? { ...item, [binary!]: undefined } : item)),
    lengths: bytes.map(part => part?.length ?? null)
  }
  const json = Buffer.from(JSON.stringify(header))
  const length = Buffer.alloc(lengthBytes)

  length.writeUInt32BE(json.length)

  return Buffer.concat([length, json, ...bytes.filter(part => part !== undefined)])
}

function unpack(plain: Buffer, binary: string | undefined): unknown[] {
  let at = lengthBytes + plain.readUInt32BE()
  const { items, lengths } = JSON.parse(plain.toString('utf8', lengthBytes, at)) as Header

  return items.map((item, n) => {
    const length = lengths[n] ?? null

    if (length === null) return decodeBinary(item, binary)
    at += length

    return { ...item, [binary!]: plain.subarray(at - length, at) }
  })
}

/** Plain jobs hold binary members in base64. */
function decodeBinary(item: unknown, binary: string | undefined) {
  const value = binary && (item as Item | null)?.[binary]

  return typeof value === 'string' ? { ...(item as Item), [binary!]: Buffer.from(value, 'base64') } : item
}
