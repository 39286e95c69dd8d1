import { afterAll, afterEach } from 'vitest';

import { closeWorld, takeBugs } from './world.ts';

afterEach(async () => {
  const bugs = await takeBugs();
  if (bugs.length > 0) throw new Error(`The nodes logged bugs:\n${bugs.join('\n')}`);
});
afterAll(closeWorld);
