import type { Postgres, Say } from '@parley/infra';

/** What a drill is about: the server and the files of which there is to be a backup. */
export interface Kept {
  postgres: Postgres;
  /** Folder of all that people have uploaded. */
  uploads: string;
  /** A folder that is on another disk, as far as this drill goes. */
  archive: string;
  /** Folder of the server's sockets. */
  sockets: string;
  say: Say;
}

/** What archives continuously, and restores. */
export interface BackupTool {
  name: string;
  /** Settings of the server with which it archives. */
  settings: Readonly<Record<string, string>>;
  /** Makes the first backup of a server that runs with these settings. */
  backUp(): Promise<void>;
  /**
   * Lays out the data of a server, which then reads from the archive what happened up to a point in time, or else up to the
   * destruction. One that is apart archives nothing itself.
   */
  layOut(data: string, options: { isApart: boolean; until: string | undefined }): Promise<void>;
  /** Lays out the files. */
  layOutFiles(uploads: string): Promise<void>;
}
