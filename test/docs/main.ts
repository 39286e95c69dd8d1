import { conclude, readArguments, repoRoot } from '@parley/infra';

import { madeFiles, madeTables, makeDocs } from './pages.ts';

const usage = `npm run docs -- [--json]

Writes .env.sample, infra/compose/nginx.conf and the tables of the documentation that are made from the code. A test compares them.`;

const { values } = readArguments(usage, {});
makeDocs(repoRoot());
const files = madeFiles.map(({ path }) => path).join(', ');
const pages = [...new Set(madeTables.map(({ page }) => page))].join(' and ');
conclude(values.json, { holds: true, result: `Made ${files} and the tables of ${pages}.` });
