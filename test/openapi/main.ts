import { rm } from 'node:fs/promises';

import { createDocument, endpoints } from '@parley/api';
import { conclude, makeTiedFolder, readArguments } from '@parley/infra';

import { runTests } from '../contract/run-tests.ts';
import { checkDocument } from './check-document.ts';
import { checkReplies } from './check-replies.ts';

const usage = `npm run openapi -- [--check [--from DIR]] [--json]

Prints the API as an OpenAPI document, as the server has it at /api/openapi.json.

  --check      validates the document, runs the tests, and holds every reply that they got against it;
               exits with 1 if anything is wrong
  --from DIR   runs no tests, and reads what a run with CONTRACT_RECORDINGS=DIR has left there
`;

const { values } = readArguments(usage, {
  check: { type: 'boolean', default: false },
  from: { type: 'string' },
});

const document = await createDocument(endpoints);

async function check(folder: string): Promise<void> {
  const mistakes = await checkDocument(document);
  const { replies, refused } = await checkReplies(document, folder);
  const wrong = [...mistakes, ...refused];
  conclude(values.json, {
    // Without any reply, nothing was checked.
    holds: wrong.length === 0 && replies > 0,
    result: `${replies} kinds of replies, ${wrong.length} of them not as the document says.`,
    report: { replies, wrong },
    text: wrong.join('\n') || undefined,
  });
}

if (!values.check) process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
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
