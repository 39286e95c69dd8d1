import { describe, expect, test } from 'vitest';

import { type Json, type Person, realm, succeed, tell } from '../support/index.ts';

const wordsOf = async (who: Person): Promise<Json> => (await who.get('/users/me/alert_words')).alert_words;

describe('/users/me/alert_words', () => {
  test('are added and removed in whatever case, and told to their owner alone', async () => {
    const { alice, bob } = await realm();
    const phone = await alice.listen();
    const stranger = await bob.listen({ event_types: ['alert_words'] });

    const added = await alice.post('/users/me/alert_words', { alert_words: [' Tea ', 'milk', 'MILK', ' '] });
    expect(added.alert_words).toEqual(['MILK', 'Tea']);
    await alice.post('/users/me/alert_words', { alert_words: ['tea'] });
    const left = await alice.delete('/users/me/alert_words', { alert_words: ['tea', 'honey'] });
    expect(left.alert_words).toEqual(['MILK']);
    await alice.delete('/users/me/alert_words', { alert_words: ['honey'] });

    expect((await phone.hears()).map(({ alert_words }) => alert_words)).toEqual([['MILK', 'Tea'], ['MILK']]);
    expect(await stranger.hears()).toEqual([]);
    expect([await wordsOf(alice), await wordsOf(bob)]).toEqual([['MILK'], []]);
    const { registered } = await alice.listen({ fetch_event_types: ['alert_words'] });
    expect(registered.alert_words).toEqual(['MILK']);
  });

  test('are removed by the word that was added, whatever its letters', async () => {
    const { alice } = await realm();
    const words = ['ΑΘΗΝΑΣ', 'İzmir'];
    expect(await alice.post('/users/me/alert_words', { alert_words: words })).toMatchObject({
      alert_words: expect.arrayContaining(words),
    });
    expect(await alice.delete('/users/me/alert_words', { alert_words: words })).toMatchObject({
      alert_words: [],
    });
  });

  test('hold for the very next message', async () => {
    const { alice, bob } = await realm();
    const phone = await alice.listen({ event_types: ['message'] });
    const say = () => bob.post('/messages', { type: 'direct', to: [alice.id], content: 'lunch?' });
    await say();
    await alice.post('/users/me/alert_words', { alert_words: ['Lunch'] });
    await say();
    await alice.delete('/users/me/alert_words', { alert_words: ['lunch'] });
    await say();
    expect((await phone.hears()).map(({ flags }) => flags)).toEqual([[], ['has_alert_word'], []]);
  });

  test('hold for the very next edit', async () => {
    const { alice, bob } = await realm();
    const id = await tell(bob, [alice], 'tea?');
    const flagsAfter = async (content: string) => {
      await succeed(bob.patch(`/messages/${id}`, { content }));
      return (await alice.get(`/messages/${id}`)).message.flags;
    };
    expect(await flagsAfter('lunch?')).toEqual([]);
    await alice.post('/users/me/alert_words', { alert_words: ['Lunch'] });
    expect(await flagsAfter('lunch!')).toEqual(['has_alert_word']);
    await alice.delete('/users/me/alert_words', { alert_words: ['lunch'] });
    expect(await flagsAfter('lunch.')).toEqual([]);
  });

  test('refuses what is no list of words', async () => {
    const { alice } = await realm();
    for (const words of ['tea', [1], ['x'.repeat(101)], Array(1001).fill('x')]) {
      expect(await alice.post('/users/me/alert_words', { alert_words: words })).toMatchObject({
        code: 'BAD_REQUEST',
      });
    }
  });

  test('are a bot’s, too', async () => {
    const { bot } = await realm();
    const words = { alert_words: ['build'] };
    expect(await bot.post('/users/me/alert_words', words)).toMatchObject(words);
    expect(await bot.delete('/users/me/alert_words', words)).toMatchObject({ alert_words: [] });
  });

  test('are so many at most, and so long together', async () => {
    const { alice, bob } = await realm();
    const add = (by: Person, words: string[]) => by.post('/users/me/alert_words', { alert_words: words });
    const short = Array.from({ length: 1000 }, (_, index) => `w${index}`);
    await succeed(add(alice, short));
    expect(await add(alice, ['more'])).toMatchObject({ code: 'BAD_REQUEST' });
    await succeed(add(alice, ['w0', 'W1']));
    expect(await wordsOf(alice)).toHaveLength(1000);
    const long = Array.from({ length: 201 }, (_, index) => `${index}`.padEnd(100, 'x'));
    expect(await add(bob, long)).toMatchObject({ code: 'BAD_REQUEST' });
    await succeed(add(bob, long.slice(1)));
  });
});
