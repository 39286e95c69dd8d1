import { fileURLToPath } from 'node:url';

import { conclude, readArguments } from '@parley/infra';

import { madeFiles, madeTables, makeDocs } from './pages.ts';

const usage = `npm run docs -- [--json]

Writes .env.sample, infra/compose/nginx.conf and the tables of the documentation that are made from the code. A test compares them.`;

const { values } = readArguments(usage, {});
makeDocs(fileURLToPath(new URL('../../../', import.meta.url)));
const files = madeFiles.map(({ path }) => path).join(', ');
const pages = madeTables.map(({ page }) => page).join(' and ');
conclude(values.json, { holds: true, result: `Made ${files} and the tables of ${pages}.` });
