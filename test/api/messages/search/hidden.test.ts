import * as actions from '@parley/actions';
import fc from 'fast-check';
import { expect, test } from 'vitest';

import { type Json, getWorld, say, subscribe, tell } from '../../../support/index.ts';
import { seed } from '../../../support/seed.ts';
import { fetchIn, newsroom } from '../newsroom.ts';

const words =
  'base bases database basement bare databank auth author unauth umbrella umbrellas umbrela umbrelo konfig konfiguration konfigurationen'.split(
    ' ',
  );
const parts =
  'ba bas ase aut uth *base *bank auth* umbrelx umbrellax umbrlla konfiguratoin konfigurationem cofiguration';
const searched = [...words, ...parts.split(' '), 'base umbrela', 'unbrella base', 'umbrela -base', '"base"'];

const [chosen = []] = fc.sample(fc.subarray(words, { minLength: 3, maxLength: 6 }), { numRuns: 1, seed });

test.each([{ readable: ['umbrella', 'konfiguration', 'author', 'basement'] }, { readable: chosen }])(
  'no reply to a search depends on what others have written where the reader may not be, who reads $readable',
  async ({ readable }) => {
    const { alice, bob, carol } = await newsroom();
    const { engine } = await getWorld();
    await subscribe(alice, 'secret', [alice, carol], { invite_only: true });
    await subscribe(alice, 'before', [alice], { invite_only: true, history_public_to_subscribers: false });
    for (const word of readable) await say(alice, 'news', 'chat', `the ${word} of everyone`);
    const ask = async () => {
      const replies: [string, Json][] = [];
      for (const text of searched) replies.push([text, await fetchIn(bob, [['search', text]])]);
      return replies;
    };
    const first = await ask();
    expect(first.filter(([, { messages }]) => messages.length > 0).length).toBeGreaterThan(readable.length);
    const hidden = fc.sample(
      fc.shuffledSubarray(
        words.filter((word) => !readable.includes(word)),
        { minLength: 10 },
      ),
      { numRuns: 3, seed },
    );
    await say(alice, 'before', 'chat', (hidden[0] ?? []).join(' '));
    for (const word of hidden[1] ?? []) await say(alice, 'secret', `the ${word} of a topic`, 'x');
    await tell(alice, [carol], (hidden[2] ?? []).join(' '));
    await subscribe(alice, 'before', [bob]);
    expect(await ask()).toEqual(first);
    while ((await actions.messages.collectTerms(engine.db, { realmId: alice.realm.id })).hasMore);
    expect(await ask()).toEqual(first);
  },
);
