/** A server that follows another one, and is stopped with it. */
interface Replica {
  port: number;
  /** Makes it a server of its own, which takes writes. */
  promote(): Promise<void>;
}

export interface Postgres extends AsyncDisposable {
  url: string;
  port?: number;
  readonly pid?: number | undefined;
  /** Where the server comes from, for people. */
  source: string;
  stop(): Promise<void>;
  /** Stops and starts the server on the same port with the same data. Absent if the server is not ours. */
  readonly restart?: () => Promise<void>;
  /** Ends the server with SIGKILL; it stays down. Absent if the server is not ours. */
  readonly crash?: () => Promise<void>;
  /**
   * Starts a second server that follows this one: from then on, this one acknowledges a transaction when both have it.
   * Absent if the server is not ours.
   */
  readonly replicate?: () => Promise<Replica>;
}
