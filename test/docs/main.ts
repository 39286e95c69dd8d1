import { fileURLToPath } from 'node:url';

import { makeDocs, madeTables } from './pages.ts';

makeDocs(fileURLToPath(new URL('../../../', import.meta.url)));
process.stdout.write(
  `Made .env.sample and the tables of ${madeTables.map(({ page }) => page).join(' and ')}.\n`,
);
