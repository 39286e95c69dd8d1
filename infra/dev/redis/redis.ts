export interface Redis extends AsyncDisposable {
  url: string;
  port?: number;
  readonly pid?: number | undefined;
  /** Where it came from, for people. */
  source: string;
  stop(): Promise<void>;
  /** Stops and starts it on the same port; `empty` loses everything in it. Absent when it is not ours. */
  restart?(options?: { empty?: boolean }): Promise<void>;
}

/** Redis is a carrier here and keeps nothing over a stop. Jobs are in it, so it never evicts. */
export const redisArguments = ['--save', '', '--appendonly', 'no', '--maxmemory-policy', 'noeviction'];
