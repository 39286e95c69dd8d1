import type { Readable } from 'node:stream';

import type { GivenFiles } from './given-files.ts';
import type { Organization } from './organization.ts';

export interface ReadOptions {
  archive: string;
  organization: Organization;
  given: GivenFiles;
  /** Is called now and then with how far it is. */
  readonly onProgress: (progress: { messages: number; done: number; of: number }) => void;
}

/** A product of which archives are read. */
export interface Source {
  name: string;
  /** The end of the addresses that are made up for its accounts. */
  domain: string;
  /** What its messages are said to have been sent with. */
  client: string;
  /**
   * Reads an archive into an organization.
   *
   * @throws ArchiveRefused for what cannot be read, naming the file and the line
   */
  readonly read: (options: ReadOptions) => Promise<OpenArchive>;
}

/** An archive that was read, and whose files can still be opened. */
export interface OpenArchive extends Disposable {
  readonly openFile: (place: string) => Promise<Readable>;
}
