import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { exportedTables } from '@parley/archive';
import { afterAll, expect, test } from 'vitest';

import { createRandom, shuffle } from '../../chaos/random.ts';
import {
  type Archive,
  type ArchiveRow,
  filesOf,
  linesOf,
  pathOf,
  readArchive,
  seal,
  withLines,
  writeArchive,
} from '../../support/archives.ts';
import {
  type Elsewhere,
  type Person,
  exportEverything,
  startElsewhere,
  succeed,
} from '../../support/index.ts';
import { isNight, seed } from '../../support/seed.ts';
import {
  badHtml,
  drawnIds,
  importInto,
  operatorsRights,
  snapshotBeside,
  strayReferences,
} from './deployment.ts';
import { furnishedRealm } from './furnished.ts';
import { type Try, forge, triesOf } from './mutations.ts';

const folder = await mkdtemp(join(tmpdir(), 'parley-hostile-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

const triesByDay = 60;
const random = createRandom(seed);

const rowsOf = (archive: Archive, table: string) =>
  linesOf(archive.get(pathOf(archive, table)) ?? Buffer.of()).map((line) => JSON.parse(line) as ArchiveRow);

/** Returns what is tried: everything at night, some by day. */
function chosenTries(archive: Archive): Try[] {
  const all = exportedTables.flatMap(({ name }) =>
    triesOf(name, Object.keys(rowsOf(archive, name)[0] ?? {})),
  );
  return isNight ? all : shuffle(all, random).slice(0, triesByDay);
}

/** Returns an id of a kind that the neighbour's rows have. */
function foreignId(neighbour: Archive, { table, column }: Try): number {
  const { refs, draws } = exportedTables.find(({ name }) => name === table) ?? {};
  const reference = column === null ? undefined : refs?.[column];
  const kind = typeof reference === 'object' ? reference.ids : column === 'id' ? draws : 'users';
  const target = exportedTables.find((one) => one.draws === kind);
  const [row] = target ? rowsOf(neighbour, target.name) : [];
  return Number(row?.[target?.drawnIn ?? 'id'] ?? 1);
}

/** Returns undefined for a refusal in a plain sentence, and throws any other error. */
function refusalOf(error: unknown): undefined {
  const isPlain =
    error instanceof Error && error.name === 'ArchiveRefused' && /^The archive .+\.$/.test(error.message);
  if (!isPlain) throw error;
}

/** Imports a forged archive and says what has come of it. Whatever it is, nobody else has noticed. */
async function attempt(
  elsewhere: Elsewhere,
  archive: Archive,
  neighbour: Archive,
  one: Try,
): Promise<'refused' | 'harmless'> {
  const forged = forge(rowsOf(archive, one.table), one, foreignId(neighbour, one), random);
  const lines = forged.map((row) => JSON.stringify(row));
  const file = join(folder, 'forged.tar.gz');
  await writeArchive(file, filesOf(seal(withLines(archive, pathOf(archive, one.table), lines))));
  const [before, drawn] = [await snapshotBeside(elsewhere, 0), await drawnIds(elsewhere)];
  const imported = await importInto(elsewhere, file, 'forged').catch(refusalOf);
  const realmId = imported?.realmId ?? 0;
  expect(await snapshotBeside(elsewhere, realmId)).toEqual(before);
  expect((await drawnIds(elsewhere)) - drawn).toBeLessThan(rowsMax);
  if (!imported) return 'refused';
  expect(await strayReferences(elsewhere, realmId)).toEqual([]);
  expect(await badHtml(elsewhere, realmId)).toEqual([]);
  expect(await operatorsRights(elsewhere, realmId)).toEqual([]);
  await elsewhere.sql`update realms set name = ${`forged-${realmId}`} where id = ${realmId}`;
  return 'harmless';
}

/** The archive has fewer rows. */
const rowsMax = 2000;

async function sendAs(person: Person, { port }: Elsewhere): Promise<void> {
  const message = { type: 'private', to: [person.id], content: 'still here' };
  await succeed(person.ask('POST', '/messages', message, { port }).then(({ body }) => body));
}

/** At night there are some thousand tries. */
const timeout = 3_600_000;

test(
  'an archive with a forged row is refused, or is the business of its own realm',
  { timeout },
  async () => {
    const neighbours = await furnishedRealm();
    const neighbourFile = await exportEverything(neighbours, join(folder, 'neighbour.tar.gz'));
    const people = await furnishedRealm();
    const archive = await readArchive(await exportEverything(people, join(folder, 'honest.tar.gz')));
    const neighbour = await readArchive(neighbourFile);
    await using elsewhere = await startElsewhere();
    await importInto(elsewhere, neighbourFile, neighbours.realm.name);
    const counts = { refused: 0, harmless: 0 };
    const harmful: string[] = [];
    for (const one of chosenTries(archive)) {
      try {
        counts[await attempt(elsewhere, archive, neighbour, one)] += 1;
        await sendAs(neighbours.alice, elsewhere);
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        const what = `SEED=${seed}: ${one.how} in ${one.table}.${one.column ?? '*'}: ${why.slice(0, 300)}`;
        harmful.push(what);
        process.stdout.write(`${what}\n`);
        await elsewhere.sql`delete from realm_imports`;
      }
    }
    process.stdout.write(`Forged rows: ${counts.refused} refused, ${counts.harmless} harmless.\n`);
    expect(harmful).toEqual([]);
    expect(counts.refused).toBeGreaterThan(counts.harmless);
  },
);
