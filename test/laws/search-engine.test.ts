import * as model from '@parley/model';
import type { SearchDocument, SearchEngine } from '@parley/search';
import { expect, test } from 'vitest';

import { actionsByFile } from '../events/actions/index.ts';
import { isOfToday, testNothingLeftOut } from '../support/by-day.ts';
import { type TestRealm, feedSearch, getWorld, realm } from '../support/index.ts';

/** What an engine has been told, as it was told. */
class Told implements SearchEngine {
  readonly isAvailable = true;
  readonly documents = new Map<number, SearchDocument>();

  find = () => Promise.resolve(null);
  ensureIndex = () => Promise.resolve('index');
  listIndexes = () => Promise.resolve(['index']);
  listGenerations = () => Promise.resolve([]);
  removeGeneration = () => Promise.resolve(0);
  write = (_: unknown, documents: readonly SearchDocument[]) => {
    for (const document of documents) this.documents.set(document.id, document);
    return Promise.resolve();
  };
  [Symbol.asyncDispose] = () => Promise.resolve();

  keysOf(id: number): string {
    return (this.documents.get(id)?.keys ?? []).toSorted().join(' ');
  }
}

/** The messages of a realm as Postgres finds them, but for the blocks of ids. */
async function keysInPostgres({ id }: { id: number }): Promise<Map<number, string>> {
  const { sql } = await getWorld();
  const rows = await sql<{ id: number; keys: string[] }[]>`
    select id, tsvector_to_array(search_keys(realm_id, id, channel_id, topic_id, sender_id, content)) as keys
    from messages where realm_id = ${id}`;
  return new Map(
    rows.map((row) => [
      row.id,
      row.keys
        .filter((key) => !/^~[abe]\d/.test(key))
        .sort()
        .join(' '),
    ]),
  );
}

/** Compares what a search puts together with what there is: the engine's documents, and what is looked up beside them. */
async function expectFound(home: TestRealm, told: Told): Promise<void> {
  const { engine } = await getWorld();
  const coverage = await model.messages.findCoverage(engine.db, home.realm.id);
  if (!coverage) return;
  const { from, to, changed } = coverage;
  const wrong = [...(await keysInPostgres(home.realm))].filter(
    ([id, keys]) => id >= from && id <= to && !changed.includes(id) && told.keysOf(id) !== keys,
  );
  expect(wrong, 'messages that a search would miss').toEqual([]);
}

/** Those of a file go on in one organization, until one needs another. */
const all = actionsByFile.flatMap((actions, file) => {
  const named = Object.entries(actions);
  return named.map(([name, action], at) => {
    const begun = named.slice(0, at + 1).filter(([, { inNewRealm }]) => inNewRealm).length;
    return { name, action, place: `${file} ${begun}` };
  });
});
const ofToday = all.filter((_, at) => isOfToday(at, 3));
testNothingLeftOut('what a search engine is told of each action', {
  left: all.length - ofToday.length,
  of: all.length,
});

let last: { place: string; home: TestRealm; told: Told } | undefined;

test.each(ofToday)(
  '$name: what a search engine has and what the log says since is all there is',
  async ({ action, place }) => {
    const { home, told } = last?.place === place ? last : { home: await realm(), told: new Told() };
    last = undefined;
    const act = await action(home);
    await feedSearch(home.realm, told);
    await act();
    await expectFound(home, told);
    await feedSearch(home.realm, told);
    const known = [...told.documents.keys()].filter((id) => told.keysOf(id) !== '');
    expect(new Map(known.map((id) => [id, told.keysOf(id)]))).toEqual(await keysInPostgres(home.realm));
    last = { place, home, told };
  },
);
