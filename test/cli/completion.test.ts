import { expect, test } from 'vitest';

import { parley, parleyProcess, withProcesses } from '../support/index.ts';

test('a shell completes commands, flags and values', withProcesses, async () => {
  const complete = async (...words: string[]) =>
    (await parley(['__complete', ...words])).stdout.split('\n').filter(Boolean);
  const { stdout } = await parleyProcess(['__complete', 're']);
  expect(stdout).toBe('realm\nretention\nrebalance\n');
  expect(await complete('re')).toEqual(['realm', 'retention', 'rebalance']);
  expect(await complete('user', 'gr')).toEqual(['grant']);
  expect(await complete('user', 'create', '--ro')).toEqual(['--role']);
  expect(await complete('user', 'create', '--role', 'a')).toEqual(['administrator']);
  expect(await complete('user', 'grant', 'ned@acme.example', 'can_f')).toEqual(['can_forge_sender']);
  expect(await parleyProcess(['completion'])).toMatchObject({
    stdout: expect.stringContaining('complete -o default'),
  });
});
