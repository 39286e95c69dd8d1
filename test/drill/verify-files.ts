import { z } from 'zod';

import { parley } from './parley.ts';

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
  const { files, missing, damaged } = Verified.parse(await parley(dir, 'verify'));
  return { files, missing: missing.count, damaged: damaged.count };
}
