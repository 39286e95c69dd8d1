import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { cannotRun, conclude } from './conclude.ts';

let written: { out: string; err: string };

beforeEach(() => {
  written = { out: '', err: '' };
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => ((written.out += String(text)), true));
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => ((written.err += String(text)), true));
});

afterEach(() => {
  vi.restoreAllMocks();
  process.exitCode = undefined;
});

describe('conclude', () => {
  const conclusion = { holds: true, result: '3 events, 0 lost', report: { lost: 0 }, text: 'a table' };

  test('prints the result below the text, for people', () => {
    conclude(false, conclusion);
    expect(written).toEqual({ out: 'a table\n\n3 events, 0 lost\n', err: '' });
  });

  test('prints one object with the result on standard output, for programs', () => {
    conclude(true, conclusion);
    expect(JSON.parse(written.out)).toEqual({ lost: 0, holds: true, result: '3 events, 0 lost' });
    expect(written.err).toBe('3 events, 0 lost\n');
  });

  test.each([
    [true, 0],
    [false, 1],
  ])('sets the exit code of a claim that holds (%s) to %i', (holds, code) => {
    conclude(false, { ...conclusion, holds });
    expect(process.exitCode).toBe(code);
  });
});

test('cannotRun says why, and sets the exit code to 2', () => {
  cannotRun(true, 'There is no Go here.');
  expect(JSON.parse(written.out)).toEqual({ notRun: 'There is no Go here.' });
  expect(written.err).toBe('There is no Go here.\n');
  expect(process.exitCode).toBe(2);
});
