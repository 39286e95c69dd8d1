import assert from 'node:assert/strict';

import type { Area, Stage } from './area.ts';
import { askAs, channelId, say } from './as-user.ts';
import { show } from './settle.ts';
import { isIn, setLanguage } from './translated.ts';
import { fragmentsOf } from './views.ts';

const looks = [
  { name: 'light', tag: 'en', options: { colorScheme: 'light' } },
  { name: 'dark', tag: 'en', options: { colorScheme: 'dark' } },
  { name: 'phone', tag: 'en', options: { viewport: { width: 390, height: 844 }, hasTouch: true } },
  { name: 'light, in Arabic', tag: 'ar', options: { colorScheme: 'light' } },
  { name: 'dark, in Arabic', tag: 'ar', options: { colorScheme: 'dark' } },
] as const;

/** Content of every kind, so that each has a color that axe can look at. */
const rich = [
  'A **bold**, *quiet* and ~~wrong~~ word, `code`, a [link](https://ex.example/), @**Olivia Owner** and :tada:.',
  '> What somebody said\n\n* one\n* two\n\n| a | b |\n|---|---|\n| 1 | 2 |',
  '```python\ndef double(x: int) -> int:\n    return 2 * x  # twice\n```',
  '```spoiler How it ends\nWell.\n```',
  '$$e^{i\\pi} + 1 = 0$$ and <time:2031-05-06T12:00:00Z>',
  '/poll Which day?\nMonday\nTuesday',
  '/todo Before we leave\nPack: everything',
  '/me waves',
];

/** Every view of the client, light and dark, also from right to left, and on a phone: axe finds no serious fault. */
export const accessible: Area = {
  name: 'accessible',
  async check(stage) {
    const alice = askAs(stage, 'Alice Member');
    for (const content of rich) {
      const id = await say(alice, 'general', 'everything', content);
      await alice.post(`/messages/${id}/reactions`, { emoji_name: 'heart' });
    }
    const { user_id } = stage.demos.demo('Alice Member');
    await alice.post('/messages', { type: 'direct', to: ['olivia@demo.example'], content: 'Hello!' });
    const general = await channelId(alice, 'general');
    const channel = `narrow/channel/${general}-general`;
    const narrows = [
      `${channel}/topic/everything`,
      channel,
      `narrow/dm/${user_id}`,
      'narrow/search/word',
      'narrow/is/starred',
    ];
    for (const look of looks) await checkLook(stage, look, narrows);
  },
};

async function checkLook(
  stage: Stage,
  { name, tag, options }: (typeof looks)[number],
  narrows: readonly string[],
): Promise<void> {
  await using owner = await stage.open('Olivia Owner', options);
  const { page } = owner;
  await setLanguage(stage, 'Olivia Owner', tag);
  await isIn(page, tag);
  const fragments = await fragmentsOf(page, narrows);
  const found: string[] = [];
  const look = async (where: string) =>
    void found.push(...(await owner.faults()).map((fault) => `${where}, ${name}: ${fault}`));
  for (const fragment of fragments) {
    await show(page, fragment);
    await look(`#${fragment}`);
  }
  await show(page, 'narrow/search/word');
  await page.locator('.found-bar').getByRole('checkbox').check();
  await page.locator('.found-group').first().waitFor();
  await look('results by conversation');
  await setLanguage(stage, 'Olivia Owner', 'en');
  assert.deepEqual(found, [], 'serious faults');
  assert.deepEqual(owner.problems, [], 'problems');
  stage.saw(`${fragments.length} views and results by conversation, ${name}: no serious fault`);
}
