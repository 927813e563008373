/**
 * Takes the place of tap's domain, which follows every promise with async hooks to know which test an error outside of its
 * functions belongs to: a tenth of all CPU. Tests of a process run one after the other, so the one that began last has it.
 */
export class Domain {
  constructor(onerror) {
    this.onerror = onerror
    active.push(this)
    if (active.length === 1) for (const type of types) process.on(type, listeners[type])
  }

  destroy() {
    const place = active.indexOf(this)

    if (place === -1) return
    active.splice(place, 1)
    if (active.length === 0) for (const type of types) process.off(type, listeners[type])
  }
}

const active = []
const types = ['uncaughtException', 'unhandledRejection']
const listeners = Object.fromEntries(types.map(type => [type, error => active.at(-1).onerror(error, type)]))
