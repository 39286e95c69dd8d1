import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** What a node logs of what it could not do. */
interface Logged {
  level: number;
  msg: string;
  err?: { message: string; code?: string; routine?: string };
}

/** Of errors, as the nodes write it. */
const errorLevel = 50;

/** Returns what nodes could not do although the database was available, in words, by their logs in a folder; each once. */
export async function readFaults(folder: string): Promise<string[]> {
  const faults = new Set<string>();
  for (const name of (await readdir(folder)).filter((file) => /^(?:api|queue|worker)-\d+\.log$/.test(file))) {
    const lines = (await readFile(join(folder, name), 'utf8')).split('\n');
    for (const line of lines.filter((one) => one.startsWith('{'))) {
      // Safe: pino has written it.
      const { level, msg, err } = JSON.parse(line) as Logged;
      if (level < errorLevel) continue;
      const where = [err?.code, err?.routine].filter((part) => part !== undefined).join(' in ');
      faults.add(`${name.replace('.log', '')}: ${msg}: ${err?.message ?? ''} (${where})`);
    }
  }
  return [...faults];
}
