import type { ArchivePlan, ImportProgress, ImportRefusal, ImportSource } from '@parley/protocol';

/** What the process that reads archives is to do with one. */
export interface ImportTask {
  /** Whether it only says what would be imported. */
  isPlan: boolean;
  realmId: number;
  /** The product that somebody has said the archive comes from. */
  source: ImportSource | null;
  /** The archive, a file of this machine. */
  archive: string;
}

/** What the process says: how far it is, that it lives, and in the end what became of the task. */
export type ImportMessage =
  | { type: 'progress'; progress: ImportProgress }
  | { type: 'alive' }
  | { type: 'done'; plan: ArchivePlan }
  /** The archive cannot be imported, and why. */
  | { type: 'refused'; refusal: ImportRefusal }
  /** Something else is wrong, so that it can be tried again. */
  | { type: 'failed'; message: string };
