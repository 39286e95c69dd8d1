import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { readArguments } from './read-arguments.ts';

const usage = 'npm run load -- [--seconds 30] [--json]';
const options = { seconds: { type: 'string', default: '30' } } as const;

class Ended extends Error {}

let written: { out: string; err: string };

beforeEach(() => {
  written = { out: '', err: '' };
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => ((written.out += String(text)), true));
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => ((written.err += String(text)), true));
  vi.spyOn(process, 'exit').mockImplementation((code) => {
    throw new Ended(String(code));
  });
});

afterEach(() => {
  vi.restoreAllMocks();
});

function read(...args: string[]) {
  vi.spyOn(process, 'argv', 'get').mockReturnValue(['node', 'main.js', ...args]);
  return readArguments(usage, options);
}

describe('readArguments', () => {
  test('adds --json and --help to the options of a command', () => {
    expect(read('--json').values).toEqual({ seconds: '30', json: true, help: false });
  });

  test('prints the usage and ends the command with 0 for --help', () => {
    expect(() => read('--help')).toThrow('0');
    expect(written).toEqual({ out: `${usage}\n`, err: '' });
  });

  test('names an unknown option, prints the usage as an error and ends the command with 64', () => {
    expect(() => read('--minutes', '3')).toThrow('64');
    expect(written.out).toBe('');
    expect(written.err).toContain("Unknown option '--minutes'");
    expect(written.err).toContain(usage);
  });
});
