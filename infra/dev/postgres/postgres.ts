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
}
