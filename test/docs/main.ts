import { fileURLToPath } from 'node:url';

import { conclude, readArguments } from '@parley/infra';

import { makeDocs, madeTables } from './pages.ts';

const usage = `npm run docs -- [--json]

Writes .env.sample and the tables of the documentation that are made from the code. A test compares them.`;

const { values } = readArguments(usage, {});
makeDocs(fileURLToPath(new URL('../../../', import.meta.url)));
conclude(values.json, {
  holds: true,
  result: `Made .env.sample and the tables of ${madeTables.map(({ page }) => page).join(' and ')}.`,
});
