import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const advice =
  'Name the folder with the programs of a Postgres that has the extension Citus with --postgres, or in DISTRIBUTED_POSTGRES.';

/** Returns why a folder is not that of a Postgres with the extension Citus; null if it is. */
export async function whyNoCitus(bin: string | undefined): Promise<string | null> {
  if (bin === undefined) return `There is no Citus here. ${advice}`;
  if (!existsSync(join(bin, 'postgres'))) return `${bin} has no program called postgres. ${advice}`;
  // Debian has what is shared beside the folder of libraries, others in the same one.
  const root = dirname(bin);
  const version = root.split('/').at(-1) ?? '';
  const shares = [join(root, 'share'), join(root, '../../../share/postgresql', version)];
  for (const share of shares) {
    for (const folder of [join(share, 'extension'), join(share, 'postgresql/extension')]) {
      const names: string[] = await readdir(folder).catch(() => []);
      if (names.includes('citus.control')) return null;
    }
  }
  return `The Postgres in ${bin} has no extension Citus. ${advice}`;
}
