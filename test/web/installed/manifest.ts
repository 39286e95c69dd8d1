import assert from 'node:assert/strict';

import type { Stage } from '../area.ts';

/** What Chromium says of profiles like those of tests, and of machines without a screen. */
const ofTests = new Set(['in-incognito']);

export async function isInstallable(stage: Stage): Promise<void> {
  await using visitor = await stage.open(null, { serviceWorkers: 'allow' });
  const { page } = visitor;
  const session = await page.context().newCDPSession(page);
  const { errors, data = '' } = await session.send('Page.getAppManifest');
  assert.deepEqual(errors, []);
  const { name } = JSON.parse(data) as { name: string };
  assert.equal(name, 'Demo');
  const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
  const faults = installabilityErrors.map(({ errorId }) => errorId).filter((id) => !ofTests.has(id));
  assert.deepEqual(faults, []);
  stage.saw('a browser finds nothing that keeps it from installing the client under the organization’s name');
}
