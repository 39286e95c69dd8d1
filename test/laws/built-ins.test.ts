import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { expect, test } from 'vitest';

const run = promisify(execFile);

/** Names the built-in types whose methods V8 has to look up in a table, after the modules of a service were loaded. */
const program = `
  const all = { String, Array, Object, Map, Set, RegExp, Number, Function, Promise, Date, Error, Uint8Array, Buffer, URL };
  await import(process.argv[1]);
  const slow = Object.keys(all).filter((name) => !%HasFastProperties(all[name].prototype));
  console.log(JSON.stringify(slow));
  process.exit();`;

// A class that extends String is enough: every call of a method of every string is then slower, in the whole process.
test.each(['api', 'queue', 'worker'])(
  'no module of the %s role slows the methods of built-in types',
  async (role) => {
    const module = fileURLToPath(new URL(`../../services/${role}/dist/index.js`, import.meta.url));
    const args = ['--allow-natives-syntax', '--input-type=module', '--eval', program, module];
    const { stdout } = await run(process.execPath, args);
    expect(JSON.parse(stdout)).toEqual([]);
  },
);
