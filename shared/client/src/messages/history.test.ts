import { describe, expect, test } from 'vitest';

import type { Connection } from '../connection/connect.ts';
import { sentMessage } from '../state/state.test-support.ts';
import { type Reply, createHistory } from './history.ts';

const params = { narrow: [], anchor: 'newest', num_before: 100, num_after: 0 };

const replyWith = (content: string): Reply => ({
  messages: [{ ...sentMessage(7), content, flags: [] }],
  found_oldest: true,
  found_newest: true,
});

/** A history whose server answers each page with the same text. */
function historyOf(content: string) {
  const asked: unknown[] = [];
  const get = async (_: string, what: unknown) => {
    asked.push(what);
    return replyWith(content);
  };
  const history = createHistory({ get } as unknown as Connection);
  return { history, asked };
}

const edited = {
  type: 'update_message',
  id: 1,
  message_id: 7,
  message_ids: [7],
  rendered_content: '<p>edited</p>',
};
const textOf = async (page: Promise<{ messages: { content: string }[] }>) =>
  (await page).messages[0]?.content;

describe('a page that was asked for early', () => {
  test('is given to the fetch that begins at the same, with what events have changed since', async () => {
    const { history, asked } = historyOf('asked anew');
    history.expect({ params: { ...params, num_before: 30 }, reply: Promise.resolve(replyWith('early')) });
    history.record([edited]);
    expect(await textOf(history.fetch({ ...params }))).toBe('<p>edited</p>');
    expect(asked).toEqual([]);
    expect(await textOf(history.fetch(params))).toBe('asked anew');
  });

  test('is of no use after a fetch of something else, a reset, or too many events', async () => {
    const { history, asked } = historyOf('asked anew');
    const expectPage = () => history.expect({ params, reply: Promise.resolve(replyWith('early')) });
    expectPage();
    await history.fetch({ ...params, anchor: 'oldest' });
    await history.fetch(params);
    expectPage();
    history.reset();
    await history.fetch(params);
    expectPage();
    history.record(Array.from({ length: 1001 }, () => edited));
    expect(await textOf(history.fetch(params))).toBe('asked anew');
    expect(asked).toHaveLength(4);
  });

  test('is asked for again where it failed', async () => {
    const { history, asked } = historyOf('asked anew');
    history.expect({ params, reply: Promise.reject(new Error('The connection was lost.')) });
    expect(await textOf(history.fetch(params))).toBe('asked anew');
    expect(asked).toHaveLength(1);
  });
});
