/** An archive that cannot be read, with the reason in words for whoever imports it. Nothing of it is visible. */
export class ArchiveRefused extends Error {
  constructor(why: string) {
    super(why);
    this.name = 'ArchiveRefused';
  }
}

export const damaged = (what: string) => new ArchiveRefused(`The archive is damaged: ${what}.`);
