import { type DestinationStream, type Logger, pino } from 'pino';

export type { Logger } from 'pino';

export interface LoggerOptions {
  role: string;
  level: string;
  /** Where to write; standard error by default. */
  destination?: DestinationStream;
}

const secretNames = ['api_key', 'apiKey', 'password', 'authorization', 'secret', 'token'];

/**
 * Creates a logger that writes one JSON line per event to standard error. Credentials are removed wherever they
 * stand.
 */
export function createLogger({ role, level, destination }: LoggerOptions): Logger {
  return pino(
    {
      level,
      base: { role, pid: process.pid },
      redact: { paths: secretNames.flatMap((name) => [name, `*.${name}`]), censor: '[secret]' },
      serializers: { err: describeError },
    },
    destination ?? pino.destination({ dest: 2, sync: false }),
  );
}

/**
 * Serializes an error for the log. An error of a failed query names the query's parameters, a password's hash among
 * them, so only its cause, the query and the action that made it are logged.
 */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const isOfQuery = 'query' in error && 'params' in error && error.cause instanceof Error;
  if (!isOfQuery) return pino.stdSerializers.err(error);
  const { query } = error;
  return {
    ...pino.stdSerializers.err(error.cause as Error),
    query,
    ...('action' in error && { action: error.action }),
  };
}
