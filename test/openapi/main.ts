import { rm } from 'node:fs/promises';
import { parseArgs } from 'node:util';

import { createDocument, endpoints } from '@parley/api';
import { makeTiedFolder } from '@parley/infra';

import { runTests } from '../contract/run-tests.ts';
import { checkDocument } from './check-document.ts';
import { checkReplies } from './check-replies.ts';

const usage = `npm run openapi -- [--check] [--from DIR]

Prints the API as an OpenAPI document, as the server has it at /api/openapi.json.

  --check      validates the document, runs the tests, and holds every reply that they got against it;
               exits with 1 if anything is wrong
  --from DIR   runs no tests, and reads what a run with CONTRACT_RECORDINGS=DIR has left there
`;

const { values } = parseArgs({
  options: {
    check: { type: 'boolean', default: false },
    from: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

const document = await createDocument(endpoints);

async function check(folder: string): Promise<void> {
  const mistakes = await checkDocument(document);
  const { replies, refused } = await checkReplies(document, folder);
  for (const line of [...mistakes, ...refused]) process.stdout.write(`${line}\n`);
  const wrong = mistakes.length + refused.length;
  process.stdout.write(`${replies} kinds of replies, ${wrong === 0 ? 'nothing' : wrong} wrong.\n`);
  // Without any reply, nothing was checked.
  process.exitCode = wrong > 0 || replies === 0 ? 1 : 0;
}

if (values.help) process.stdout.write(usage);
else if (!values.check) process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
else if (values.from !== undefined) await check(values.from);
else {
  const folder = await makeTiedFolder('parley-openapi-');
  try {
    await runTests(folder);
    await check(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
