import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { compareFiles } from '../drill/compare-files.ts';
import { type DrillReport, offencesOf, rpoOf, rtoOf, summarize } from '../drill/report.ts';

const script = fileURLToPath(new URL('../drill/archive.sh', import.meta.url));
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-archive-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** An empty archive beside uploads and a segment of the log of writes. */
async function archiveOf(name: string) {
  const place = (path: string) => join(folder, name, path);
  for (const path of ['uploads/1/abc', 'archive/wal', 'archive/files']) {
    await mkdir(place(path), { recursive: true });
  }
  await writeFile(place('segment'), 'writes');
  const run = (segment = '000000010000000000000001') =>
    new Promise<number>((resolve) => {
      const args = [script, place('uploads'), place('archive'), place('segment'), segment];
      execFile('sh', args, (error) => resolve(Number(error?.code ?? 0)));
    });
  const archived = async () => await readdir(place('archive'), { recursive: true });
  return { place, run, archived };
}

describe('the archive command of the drill', () => {
  test('archives files that are whole, and then the segment', async () => {
    const { place, run, archived } = await archiveOf('whole');
    await writeFile(place('uploads/1/abc/original'), 'a file');
    await writeFile(place('uploads/1/abc/original.0123456789ab.partial'), 'half a f');
    expect(await run()).toBe(0);
    expect(await readFile(place('archive/wal/000000010000000000000001'), 'utf8')).toBe('writes');
    expect(await readFile(place('archive/files/1/abc/original'), 'utf8')).toBe('a file');
    expect((await archived()).filter((path) => path.includes('part'))).toEqual([]);
  });

  test('takes the same segment twice, and refuses another one of its name', async () => {
    const { place, run } = await archiveOf('twice');
    expect([await run(), await run()]).toEqual([0, 0]);
    await writeFile(place('segment'), 'others');
    expect(await run()).not.toBe(0);
    expect(await readFile(place('archive/wal/000000010000000000000001'), 'utf8')).toBe('writes');
  });

  test('archives no segment whose files it cannot archive', async () => {
    const { place, run, archived } = await archiveOf('full');
    await writeFile(place('uploads/1/abc/original'), 'a file');
    await rm(place('archive/files'), { recursive: true });
    await writeFile(place('archive/files'), 'not a folder');
    expect(await run()).not.toBe(0);
    expect((await archived()).sort()).toEqual(['files', 'wal']);
  });

  test('replaces what it left half done when it was killed', async () => {
    const { place, run } = await archiveOf('killed');
    await writeFile(place('archive/wal/000000010000000000000001.part'), 'wri');
    expect(await run()).toBe(0);
    expect(await readFile(place('archive/wal/000000010000000000000001'), 'utf8')).toBe('writes');
  });
});

const destroyedMs = 1_000_000;

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
    sends: { acknowledged: 3, lost: [{ endedMs: destroyedMs - 2500 }], damaged: 0 },
    uploads: { acknowledged: 2, lost: [], damaged: 0 },
    files: { same: 2, lost: [], damaged: [] },
    verified: { files: 2, missing: 0, damaged: 0 },
    rows: { tables: 3, rows: 12, newer: 1, missing: 0, named: [] },
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
  const lost = (endedMs: number) => ({ acknowledged: 3, lost: [{ endedMs }], damaged: 0 });
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
    ['files damaged: 1', { uploads: { acknowledged: 1, lost: [], damaged: 1 } }],
    ['files damaged: 1', { files: { same: 2, lost: [], damaged: ['a'] } }],
    ['files damaged: 1', { verified: { files: 2, missing: 0, damaged: 1 } }],
    ['files missing: 1', { verified: { files: 2, missing: 1, damaged: 0 } }],
    ['rows missing: 1', { rows: { tables: 3, rows: 12, newer: 0, missing: 1, named: [] } }],
    ['lost after the restore: 1', { sends: lost(destroyedMs + 2000) }],
    ['nothing was compared', { rows: { tables: 3, rows: 9, newer: 0, missing: 0, named: [] } }],
  ])('has %s', (offence, changes) => {
    expect(offencesOf(drilled(changes))).toEqual([offence]);
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
