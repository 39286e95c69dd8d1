import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { cellsIn } from '../docs/pages.ts';
import { compareFiles } from '../drill/compare-files.ts';
import { type DrillReport, offencesOf, rpoOf, rtoOf, summarize } from '../drill/report.ts';

const scriptOf = (name: string) => fileURLToPath(new URL(`../drill/${name}.sh`, import.meta.url));
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-archive-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Runs a script. Returns what it ended with. */
const run = (name: string, ...args: string[]) =>
  new Promise<number>((resolve) => {
    execFile('sh', [scriptOf(name), ...args], (error) => resolve(Number(error?.code ?? 0)));
  });

/** An empty archive, and uploads with a file. */
async function archiveOf(name: string) {
  const place = (path: string) => join(folder, name, path);
  for (const path of ['uploads/1/abc', 'archive']) await mkdir(place(path), { recursive: true });
  await writeFile(place('uploads/1/abc/original'), 'a file');
  await writeFile(place('segment'), 'writes');
  return {
    place,
    archiveFiles: () => run('archive-files', place('uploads'), place('archive')),
    archiveSegment: () => run('archive-segment', place('archive'), place('segment'), '01'),
    read: (path: string) => readFile(place(`archive/${path}`), 'utf8'),
    list: async () => (await readdir(place('archive'), { recursive: true })).sort(),
  };
}

describe('the archive of files', () => {
  test('has those that are whole, once', async () => {
    const { place, archiveFiles, read, list } = await archiveOf('whole');
    await writeFile(place('uploads/1/abc/original.0123456789ab.partial'), 'half a f');
    expect([await archiveFiles(), await archiveFiles()]).toEqual([0, 0]);
    expect(await list()).toEqual(['1', '1/abc', '1/abc/original']);
    expect(await read('1/abc/original')).toBe('a file');
  });

  test('is empty while nobody has uploaded anything', async () => {
    const { place, archiveFiles, list } = await archiveOf('none');
    await rm(place('uploads'), { recursive: true });
    expect(await archiveFiles()).toBe(0);
    expect(await list()).toEqual([]);
  });

  test('says so when it cannot take a file', async () => {
    const { place, archiveFiles } = await archiveOf('full');
    await writeFile(place('archive/1'), 'not a folder');
    expect(await archiveFiles()).not.toBe(0);
  });
});

describe('the archive of the log of writes', () => {
  test('takes the same segment twice, and refuses another one of its name', async () => {
    const { place, archiveSegment, read } = await archiveOf('twice');
    expect([await archiveSegment(), await archiveSegment()]).toEqual([0, 0]);
    await writeFile(place('segment'), 'others');
    expect(await archiveSegment()).not.toBe(0);
    expect(await read('01')).toBe('writes');
  });

  test('replaces what was left half done when the archiver was killed', async () => {
    const { place, archiveSegment, list } = await archiveOf('killed');
    await writeFile(place('archive/01.part'), 'wri');
    expect(await archiveSegment()).toBe(0);
    expect(await list()).toEqual(['01']);
  });
});

const destroyedMs = 1_000_000;

/** Something that was acknowledged at a moment, and asked for just before. */
const at = (endedMs: number) => ({ startedMs: endedMs - 5, endedMs });

/** A drill in which all went well, but for what is given. */
function drilled(changes: Partial<DrillReport> = {}): DrillReport {
  return {
    tool: 'folder',
    messages: 10,
    mebibytes: 12,
    seconds: 5,
    times: { beganMs: 0, destroyedMs, laidOutMs: destroyedMs + 100, writableMs: destroyedMs + 900 },
    outcomes: { heard: 0, told: 6, silent: 0 },
    verdict: {
      heard: 9,
      lost: 0,
      repeated: 0,
      reordered: 0,
      leaked: 0,
      writesLost: 1,
      writesRepeated: 0,
      silent: 0,
      missing: [],
      longestPauseMs: 1,
      slowestAnswerMs: 1,
    },
    acknowledgedMs: [destroyedMs - 2500, destroyedMs + 5, destroyedMs + 1200],
    mistake: null,
    sends: { acknowledged: 3, lost: [at(destroyedMs - 2500)], kept: [], damaged: 0 },
    uploads: { acknowledged: 2, lost: [], kept: [], damaged: 0 },
    files: { same: 2, lost: [], damaged: [] },
    verified: { files: 2, missing: 0, damaged: 0 },
    rows: { tables: 3, rows: 12, newer: 1, missing: 0, named: [] },
    broughtBack: { messages: 3, isSame: true, verified: { files: 2, missing: 0, damaged: 0 } },
    ...changes,
  };
}

describe('the verdict of a drill', () => {
  test('is that all is well where what is lost is young and everybody is told', () => {
    const report = drilled();
    expect([rpoOf(report), rtoOf(report)]).toEqual([2500, 1200]);
    expect(offencesOf(report)).toEqual([]);
    expect(summarize(report)).toContain('RPO 2.5 s, RTO 1.2 s with 10 messages; 1 of 3 sends');
  });

  const { verdict, times } = drilled();
  const lost = (endedMs: number) => ({ acknowledged: 3, lost: [at(endedMs)], kept: [], damaged: 0 });
  test.each<[string, Partial<DrillReport>]>([
    ['RPO above 5 s', { sends: lost(destroyedMs - 5001) }],
    ['RPO above 5 s', { uploads: lost(destroyedMs - 5001) }],
    ['RPO above 5 s', { files: { same: 2, damaged: [], lost: [{ path: 'a', ageMs: 5001 }] } }],
    ['RTO above 120 s', { acknowledgedMs: [destroyedMs + 5, destroyedMs + 120_001] }],
    ['RTO above 120 s', { times: { ...times, writableMs: destroyedMs + 120_001 } }],
    ['RTO above 120 s', { acknowledgedMs: [destroyedMs + 5] }],
    ['silent: 2', { outcomes: { heard: 0, told: 4, silent: 2 } }],
    ['repeated: 1', { verdict: { ...verdict, repeated: 1 } }],
    ['reordered: 1', { verdict: { ...verdict, reordered: 1 } }],
    ['written twice: 1', { verdict: { ...verdict, writesRepeated: 1 } }],
    ['nothing was heard', { verdict: { ...verdict, heard: 0 } }],
    ['files damaged: 1', { uploads: { acknowledged: 1, lost: [], kept: [], damaged: 1 } }],
    ['files damaged: 1', { files: { same: 2, lost: [], damaged: ['a'] } }],
    ['files damaged: 1', { verified: { files: 2, missing: 0, damaged: 1 } }],
    ['files missing: 1', { verified: { files: 2, missing: 1, damaged: 0 } }],
    ['rows missing: 1', { rows: { tables: 3, rows: 12, newer: 0, missing: 1, named: [] } }],
    ['lost after the restore: 1', { sends: lost(destroyedMs + 2000) }],
    ['nothing was compared', { rows: { tables: 3, rows: 9, newer: 0, missing: 0, named: [] } }],
    [
      'the organization did not come back as it was',
      { broughtBack: { messages: 3, isSame: false, verified: { files: 2, missing: 0, damaged: 0 } } },
    ],
  ])('has %s', (offence, changes) => {
    expect(offencesOf(drilled(changes))).toEqual([offence]);
  });
});

describe('the verdict of a return to the moment before a mistake', () => {
  const beforeMs = destroyedMs - 3000;
  const mistake = { before: '2026-11-25 10:14:00+00', beforeMs, realmId: 1, messageIds: [1, 2], back: 2 };
  const sends = (kept: number[], lost: number[]) => ({
    acknowledged: 9,
    kept: kept.map(at),
    lost: lost.map(at),
    damaged: 0,
  });
  const well = sends([beforeMs - 1, beforeMs + 2, destroyedMs + 500], [beforeMs + 1, destroyedMs - 1]);

  test('is that all is well where nothing of before is gone, and nothing since is there', () => {
    const report = drilled({ mistake, sends: well });
    expect([rpoOf(report), offencesOf(report)]).toEqual([0, []]);
    expect(summarize(report)).toContain('2 of 2 messages back that were deleted by mistake');
  });

  test.each<[string, Partial<DrillReport>]>([
    ['acknowledged before the mistake, and gone: 1', { sends: sends([], [beforeMs - 1]) }],
    ['sent since the mistake, and there: 1', { sends: sends([destroyedMs - 1], []) }],
    ['deleted by mistake, and not back: 2', { mistake: { ...mistake, back: 0 } }],
    ['nothing was compared', { mistake: { ...mistake, messageIds: [], back: 0 } }],
  ])('has %s', (offence, changes) => {
    expect(offencesOf(drilled({ mistake, sends: well, ...changes }))).toEqual([offence]);
  });
});

test('files are compared by what they hold, and those that are gone have their age', () => {
  const file = (digest: string, storedMs = 0) => ({ digest, storedMs });
  const destroyed = new Map([
    ['same', file('a')],
    ['other', file('b')],
    ['gone', file('c', destroyedMs - 700)],
  ]);
  const restored = new Map([
    ['same', file('a')],
    ['other', file('x')],
    ['new', file('d')],
  ]);
  expect(compareFiles(destroyed, restored, destroyedMs)).toEqual({
    same: 1,
    damaged: ['other'],
    lost: [{ path: 'gone', ageMs: 700 }],
  });
});

describe('the page on backups', () => {
  const read = (path: string) =>
    readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8');
  const page = read('docs/backup.md');

  test('names commands that there are', () => {
    const known = cellsIn(read('docs/cli.md'), 'commands').map(([command = '']) =>
      command.replaceAll('`', '').replace('newEpoch', 'new-epoch'),
    );
    const named = [...page.matchAll(/[`\n](parley [a-z]+(?: [a-z][a-z-]+(?=[ `]))?)/g)].map(
      ([, text = '']) => text,
    );
    expect(named.length).toBeGreaterThan(6);
    expect(named.filter((text) => !known.some((command) => `${text} `.startsWith(`${command} `)))).toEqual(
      [],
    );
  });

  test('tells pgBackRest what the drill tells it', () => {
    const tool = read('test/drill/pgbackrest-tool.ts');
    for (const setting of ['repo1-path', 'repo1-retention-full', 'compress-type', 'start-fast', 'pg1-path']) {
      expect(tool).toContain(`'${setting}'`);
      expect(page).toContain(`\n${setting}=`);
    }
    for (const command of ['stanza-create', 'check', 'backup', 'restore']) {
      expect(tool).toContain(`'${command}'`);
      expect(page).toMatch(new RegExp(`pgbackrest --stanza=parley .*${command}\n`));
    }
  });
});
