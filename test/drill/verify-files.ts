import { execFile } from 'node:child_process';
import { join } from 'node:path';

import { z } from 'zod';

import { root } from '../versions/history.ts';

const Counted = z.object({ count: z.number() });
const Verified = z.object({ files: z.number(), missing: Counted, damaged: Counted });

/** What the command found that operators run after a restore. */
export interface Verified {
  files: number;
  /** Files of which there are rows. */
  missing: number;
  damaged: number;
}

/** Runs `parley verify` for the deployment of a folder. */
export async function verifyFiles(dir: string): Promise<Verified> {
  const program = join(root, 'services/cli/bin/parley.js');
  const printed = await new Promise<string>((resolve, reject) => {
    // Settings of whoever runs the drill are of another deployment.
    const options = { cwd: dir, env: { PATH: process.env['PATH'], PARLEY_DIR: dir } };
    execFile(process.execPath, [program, 'verify', '--json'], options, (_, stdout, stderr) =>
      stdout === '' ? reject(new Error(`parley verify failed:\n${stderr}`)) : resolve(stdout),
    );
  });
  const { files, missing, damaged } = Verified.parse(JSON.parse(printed));
  return { files, missing: missing.count, damaged: damaged.count };
}
