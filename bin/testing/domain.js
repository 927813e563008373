/**
 * Takes the place of tap's domain, which follows every promise with async hooks to know the test of an error outside of its
 * functions: 8 % of a run's CPU. Tests of a process run one after the other, so the groups' files know it.
 */
export class Domain {
  constructor(onerror) {
    this.onerror = onerror
  }

  destroy() {}
}
