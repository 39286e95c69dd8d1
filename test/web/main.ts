import { accessible } from './accessible.ts';
import { administration } from './administration.ts';
import type { Area, Stage } from './area.ts';
import { around } from './around.ts';
import { hostile } from './hostile.ts';
import { many } from './many.ts';
import { nodes } from './nodes.ts';
import { read } from './read.ts';
import { shell } from './shell.ts';
import { spectators } from './spectators.ts';
import { onStage, sayLine } from './stage.ts';
import { talk } from './talk.ts';
import { write } from './write.ts';

/**
 * Every area of the client. One run can be of some of them: `npm run web:check -- shell talk`. Hostile content comes
 * last: it gives people and the organization names that no other area knows.
 */
const areas: readonly Area[] = [
  shell,
  talk,
  write,
  read,
  many,
  around,
  administration,
  spectators,
  accessible,
  nodes,
  hostile,
];

async function checkAll(stageFor: (name: string) => Stage, wanted: readonly string[]): Promise<number> {
  let failures = 0;
  for (const { name, check } of areas) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const stage = stageFor(name);
    try {
      await check(stage);
    } catch (error) {
      failures += 1;
      await Promise.all(stage.browser.contexts().map(async (context) => await context.close()));
      sayLine(`${name} FAILED: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    }
  }
  sayLine(failures === 0 ? 'The web client does what it should.' : `${failures} of its areas failed.`);
  return failures === 0 ? 0 : 1;
}

process.exit(await onStage((stageFor) => checkAll(stageFor, process.argv.slice(2))));
