import { pino, type Logger } from 'pino';

export type { Logger } from 'pino';

export interface LoggerOptions {
  role: string;
  level: string;
}

/** One JSON line per thing that happened, on standard error. Credentials are cut out wherever they stand. */
export function createLogger({ role, level }: LoggerOptions): Logger {
  const secret = ['api_key', 'apiKey', 'password', 'authorization', 'secret', 'token'];
  return pino(
    {
      level,
      base: { role, pid: process.pid },
      redact: { paths: secret.flatMap((name) => [name, `*.${name}`]), censor: '[secret]' },
    },
    pino.destination({ dest: 2, sync: false }),
  );
}
