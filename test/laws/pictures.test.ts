import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import sharp from 'sharp';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

import { AcceptedPictures } from '../pictures/accepted.ts';
import { type Points, compare, readPoints } from '../pictures/compare.ts';
import { Reporter, findReport, readShown, toHtml } from '../pictures/report.ts';

const rendering = { chromium: '1.2.3', platform: 'linux-x64', typefaces: 'abc' };

/** A drawing in SVG as points. */
const draw = async (content: string, width = 60, height = 40): Promise<Points> =>
  await readPoints(
    await sharp(
      Buffer.from(
        `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#fff"/>${content}</svg>`,
      ),
    )
      .png()
      .toBuffer(),
  );

const square = (fill: string, x = 10) => `<rect x="${x}" y="10" width="20" height="20" fill="${fill}"/>`;
const circle = (x: number) => `<circle cx="${x}" cy="20" r="12" fill="#333"/>`;

describe('the comparison of two pictures', () => {
  test('finds no difference between a picture and itself', async () => {
    expect(compare(await draw(square('#333')), await draw(square('#333')))).toBeNull();
  });

  test('finds the points that differ, and shows them', async () => {
    const found = compare(await draw(square('#333')), await draw(square('#333', 11)));
    expect(found?.share).toBeCloseTo(40 / 2400, 10);
    expect(found?.shown).toMatchObject({ width: 60, height: 40 });
    expect(found?.reason).toBeNull();
  });

  test.each([
    ['#615f59', '#6a6862'],
    ['#fdeceb', '#f9e8e7'],
    ['#1a1b1f', '#1f2024'],
  ])('finds a surface that became %s instead of %s', async (one, other) => {
    expect(compare(await draw(square(one)), await draw(square(other)))?.share).toBeCloseTo(400 / 2400, 10);
  });

  test('leaves out edges that are only smoothed otherwise', async () => {
    const found = compare(await draw(circle(20)), await draw(circle(20.3)));
    const isEqual = (await draw(circle(20))).data.equals((await draw(circle(20.3))).data);
    expect([found, isEqual]).toEqual([null, false]);
  });

  test('leaves out a color that nobody could tell apart', async () => {
    expect(compare(await draw(square('#336699')), await draw(square('#34669a')))).toBeNull();
  });

  test('says that the sizes differ', async () => {
    expect(compare(await draw(''), await draw('', 60, 41))).toEqual({
      share: 1,
      shown: null,
      reason: '60 × 40 points were accepted, and these are 60 × 41',
    });
  });

  test('says that nothing was accepted', async () => {
    expect(compare(null, await draw(''))).toEqual({ share: 1, shown: null, reason: 'nothing was accepted' });
  });
});

describe('a report', () => {
  let folder: string;
  let accepted: AcceptedPictures;
  const on = new Date('2026-03-04T05:06:07Z');
  const rest = { rendering, broken: null, gone: [] };

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-pictures-test-'));
    accepted = await AcceptedPictures.open(join(folder, 'accepted'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  /** Compares pictures, and accepts what differs. */
  async function acceptAll(pictures: Readonly<Record<string, Points>>, because: string, gone: string[] = []) {
    const reporter = await Reporter.begin(folder, accepted);
    for (const [name, points] of Object.entries(pictures)) await reporter.add(name, points);
    const report = await reporter.end(rest);
    const names = report.differing.map(({ name }) => name);
    await accepted.accept(names, (name) => readShown(folder, name), { rendering, because, on, gone });
    return names;
  }

  test('has every picture that nobody has accepted, and none once it is accepted', async () => {
    const pictures = { one: await draw(square('#333')), two: await draw(circle(20)) };
    expect(await acceptAll(pictures, 'The first.')).toEqual(['one', 'two']);
    expect(await acceptAll(pictures, 'Again.')).toEqual([]);
    const kept = await readFile(join(folder, 'accepted', 'accepted.json'), 'utf8');
    expect(JSON.parse(kept)).toMatchObject({
      rendering,
      pictures: { one: { on: '2026-03-04', because: 'The first.' }, two: { because: 'The first.' } },
    });
    expect((await AcceptedPictures.open(join(folder, 'accepted'))).names).toEqual(['one', 'two']);
  });

  test('keeps the reason of a picture that did not change, and takes that of one that did', async () => {
    await acceptAll({ one: await draw(square('#333')), two: await draw('') }, 'The first.');
    const changed = { one: await draw(square('#333')), two: await draw(square('#a00')) };
    expect(await acceptAll(changed, 'Red was asked for.')).toEqual(['two']);
    const kept = await readFile(join(folder, 'accepted', 'accepted.json'), 'utf8');
    expect(JSON.parse(kept)).toMatchObject({
      pictures: { one: { because: 'The first.' }, two: { because: 'Red was asked for.' } },
    });
  });

  test('shows what differs, the largest first, beside what was accepted', async () => {
    await acceptAll({ one: await draw(''), two: await draw(''), three: await draw('') }, 'The first.');
    const reporter = await Reporter.begin(folder, accepted);
    await reporter.add('one', await draw(''));
    await reporter.add('two', await draw('<rect width="1" height="1" fill="#000"/>'));
    await reporter.add('three', await draw(square('#a00')));
    const report = await reporter.end(rest);
    expect(report.differing.map(({ name }) => name)).toEqual(['three', 'two']);
    expect(await findReport(folder)).toEqual(report);
    expect((await readdir(join(folder, 'pictures'))).toSorted()).toEqual([
      'three.accepted.webp',
      'three.difference.webp',
      'three.now.webp',
      'two.accepted.webp',
      'two.difference.webp',
      'two.now.webp',
    ]);
    const html = await readFile(join(folder, 'report.html'), 'utf8');
    expect(html.indexOf('three: 16.67 %')).toBeGreaterThan(0);
    expect(html.indexOf('two: 0.04 %')).toBeGreaterThan(html.indexOf('three: 16.67 %'));
    expect(html).not.toMatch(/one[:.]/);
  });

  test('refuses a file that is not the one that was accepted', async () => {
    await acceptAll({ one: await draw(''), two: await draw(square('#333')) }, 'The first.');
    const file = (name: string) => join(folder, 'accepted', `${name}.webp`);
    await writeFile(file('one'), await readFile(file('two')));
    await expect(accepted.find('one')).rejects.toThrow('one.webp is not what was accepted.');
  });

  test('forgets pictures of views that are gone, and knows what drew the others', async () => {
    const pictures = { one: await draw(''), two: await draw(square('#333')) };
    await acceptAll(pictures, 'The first.');
    await acceptAll({}, 'It is gone.', ['two']);
    expect(await readdir(join(folder, 'accepted'))).toEqual(['accepted.json', 'one.webp']);
    const other = { ...rendering, typefaces: 'def' };
    expect([accepted.isOf(rendering), accepted.isOf(other)]).toEqual([true, false]);
    await accepted.accept([], () => draw(''), { rendering: other, because: 'It draws so.', on, gone: [] });
    expect([accepted.isOf(rendering), accepted.isOf(other)]).toEqual([false, true]);
    expect(accepted.names).toEqual(['one']);
  });

  test('is not found where there was no run', async () => {
    expect(await findReport(folder)).toBeNull();
  });

  test('shows words as words', () => {
    const differing = [{ name: 'one', pictures: ['now' as const], share: 1, reason: '<b>' }];
    const html = toHtml({ ...rest, compared: 1, differing, broken: '<i>', gone: ['<u>'] });
    expect(html).not.toMatch(/<[bi u]>/);
  });
});
