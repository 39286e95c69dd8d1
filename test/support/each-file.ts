import { afterAll, afterEach, expect } from 'vitest';

import { closeWorld, takeBugs } from './world.ts';

afterEach(async () => {
  expect(await takeBugs(), 'bugs that the nodes logged').toEqual([]);
});
afterAll(closeWorld);
