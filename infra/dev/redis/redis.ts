export interface Redis extends AsyncDisposable {
  url: string;
  port?: number;
  readonly pid?: number | undefined;
  /** Where the server comes from, for people. */
  source: string;
  stop(): Promise<void>;
  /**
   * Stops and starts the server on the same port. `empty` deletes everything in it. Absent if the server is not ours.
   */
  readonly restart?: (options?: { empty?: boolean }) => Promise<void>;
  /** Kills a master, waits until a replica has taken its place, and starts the killed one again. Absent without replicas. */
  failOver?(): Promise<void>;
}

/** Redis only carries data here and keeps nothing when it stops. It never evicts, because it holds jobs. */
export const redisArguments = ['--save', '', '--appendonly', 'no', '--maxmemory-policy', 'noeviction'];
