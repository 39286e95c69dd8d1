import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

import { type Browser, chromium } from 'playwright-core';

const names = ['chromium', 'chromium-browser', 'google-chrome'];

/** An installed browser, or the one that `npx playwright-core install chromium` has brought. */
function findPath(): string | undefined {
  return names
    .map((name) => spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).stdout.trim())
    .concat(chromium.executablePath())
    .find((path) => existsSync(path));
}

/**
 * The Chromium of this machine; null where there is none.
 *
 * @param flags of its command line, besides the usual ones
 */
export async function launchBrowser(...flags: string[]): Promise<Browser | null> {
  const executablePath = findPath();
  if (executablePath === undefined) return null;
  const args = [
    '--no-sandbox',
    '--disable-gpu',
    '--disable-quic',
    '--disable-background-networking',
    ...flags,
  ];
  return await chromium.launch({ executablePath, args });
}
