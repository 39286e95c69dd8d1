import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

import { expect, test } from 'vitest';

import { mutations } from '../chaos/mutations.ts';
import { guards } from '../simulate/guards.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** A break of code that is not there any more would be found when somebody breaks it, which is at night. */
test.each([
  ['chaos', mutations],
  ['the simulation', guards],
])('the code that %s breaks is there', async (_name, broken) => {
  const changes = Object.values(broken).flatMap(({ changes }) => changes);
  expect(changes.length).toBeGreaterThan(10);
  for (const { file, from } of changes) {
    expect(await readFile(`${root}${file}`, 'utf8'), file).toContain(from);
  }
});
