interface Entry<Value> {
  value: Value
  bytes: number
  until: number
}

export interface RememberedOptions<Value> {
  /** Of all that is remembered together; what was used longest ago is forgotten first. */
  bytes: number
  size: (value: Value) => number
  seconds?: number
  /** How long it is remembered that there is nothing, and of how many keys. */
  absentSeconds?: number
  mostAbsent?: number
}

/** Remembers what takes long to make, within a bound of bytes; and, apart from it, what is not there at all. */
export class Remembered<Value> {
  #options: Required<RememberedOptions<Value>>
  #present = new Map<string, Entry<Value>>()
  #absent = new Map<string, number>()
  #loading = new Map<string, Promise<Value | undefined>>()
  #bytes = 0
  #generation = 0

  constructor(options: RememberedOptions<Value>) {
    this.#options = { seconds: 600, absentSeconds: 30, mostAbsent: 10_000, ...options }
  }

  get(key: string, load: () => Promise<Value | undefined>): Promise<Value | undefined> | Value | undefined {
    const entry = this.#present.get(key)

    if (entry && entry.until > Date.now()) {
      this.#present.delete(key)
      this.#present.set(key, entry)

      return entry.value
    }
    if ((this.#absent.get(key) ?? 0) > Date.now()) return undefined

    return this.#loading.get(key) ?? this.#load(key, load)
  }

  /** Everything whose key begins like this. */
  forget(prefix = '') {
    this.#generation++
    this.#loading.clear()
    for (const key of this.#present.keys()) if (key.startsWith(prefix)) this.#drop(key)
    for (const key of this.#absent.keys()) if (key.startsWith(prefix)) this.#absent.delete(key)
  }

  #load(key: string, load: () => Promise<Value | undefined>) {
    const generation = this.#generation
    const loading = load()
      .then(value => {
        // An answer from before a change must not outlive it.
        if (generation === this.#generation) this.#remember(key, value)

        return value
      })
      .finally(() => {
        if (this.#loading.get(key) === loading) this.#loading.delete(key)
      })

    this.#loading.set(key, loading)

    return loading
  }

  #remember(key: string, value: Value | undefined) {
    const { size, seconds, absentSeconds, mostAbsent } = this.#options

    this.#drop(key)
    this.#absent.delete(key)
    if (value === undefined) {
      this.#absent.set(key, Date.now() + 1000 * absentSeconds)
      if (this.#absent.size > mostAbsent) this.#absent.delete(this.#absent.keys().next().value!)
      return
    }
    const entry = { value, bytes: size(value), until: Date.now() + 1000 * seconds }

    this.#present.set(key, entry)
    this.#bytes += entry.bytes
    this.#makeRoom()
  }

  /** The one just used stays however large it is: made anew for each event, it would cost far more. */
  #makeRoom() {
    for (const key of this.#present.keys()) {
      if (this.#bytes <= this.#options.bytes || this.#present.size === 1) return
      this.#drop(key)
    }
  }

  #drop(key: string) {
    this.#bytes -= this.#present.get(key)?.bytes ?? 0
    this.#present.delete(key)
  }
}
