import { deriveApiKey } from '@parley/http';
import { ApiError } from '@parley/protocol';
import { expect, test } from 'vitest';

import { createCredentialsStore } from './credentials-store.ts';

const secret = 'a secret that only tests know, 32 characters and more';
const otherSecret = 'another secret that only tests know, 32 characters and more';

/** Credentials of users 1 and 2, and what was read of them at once. */
const sessions = new Map([['hash', 1]]);
const home = 1;

function open() {
  const reads: number[][] = [];
  const refusal = new ApiError('UNAUTHORIZED', 'This account is deactivated.');
  const rows = new Map([
    [
      1,
      {
        userId: 1,
        email: 'Amy@Zed.example',
        generation: 3,
        isGuest: false,
        realm: 'zed',
        sessions,
        refusal: null,
      },
    ],
    [
      2,
      { userId: 2, email: 'bo@zed.example', generation: 0, isGuest: true, realm: 'zed', sessions, refusal },
    ],
  ]);
  /** Happens while Postgres is read. */
  const state = { meanwhile: () => {} };
  const store = createCredentialsStore({
    secrets: [secret, otherSecret],
    async read(realmOf) {
      reads.push([...realmOf.keys()]);
      await Promise.resolve();
      state.meanwhile();
      return rows;
    },
  });
  return { store, reads, state, refusal };
}

test('credentials are those of the user, and nobody presents those of a user who is not there', async () => {
  const { store, refusal } = open();
  expect(await store.find(1, home)).toEqual({
    email: 'amy@zed.example',
    apiKeys: [deriveApiKey(secret, 1, 3), deriveApiKey(otherSecret, 1, 3)],
    isGuest: false,
    realm: 'zed',
    sessions,
    refusal: null,
    revocationCount: 0,
  });
  expect(await store.find(2, home)).toMatchObject({ isGuest: true, refusal });
  expect(await store.find(3, home)).toEqual({
    email: '',
    apiKeys: [],
    isGuest: false,
    realm: '',
    sessions: new Map(),
    refusal: null,
    revocationCount: 0,
  });
});

test('lookups of one moment share a query, and later ones do not', async () => {
  const { store, reads } = open();
  await Promise.all([store.find(1, home), store.find(2, home), store.find(1, home)]);
  await store.find(2, home);
  expect(reads).toEqual([[1, 2], [2]]);
});

test('what is found is current until it is revoked, and what is found later is again', async () => {
  const { store } = open();
  const [one, other] = await Promise.all([store.find(1, home), store.find(2, home)]);
  expect([store.isCurrent(one, 1), store.isCurrent(other, 2)]).toEqual([true, true]);
  store.revoke([1]);
  store.revoke([1]);
  expect([store.isCurrent(one, 1), store.isCurrent(other, 2)]).toEqual([false, true]);
  const again = await store.find(1, home);
  expect(store.isCurrent(again, 1)).toBe(true);
  store.revoke([2, 1]);
  expect([store.isCurrent(again, 1), store.isCurrent(other, 2)]).toEqual([false, false]);
});

test('a revocation that overtakes what is read makes it void', async () => {
  const { store, state } = open();
  state.meanwhile = () => store.revoke([1, 3]);
  expect(store.isCurrent(await store.find(1, home), 1)).toBe(false);
  expect(store.isCurrent(await store.find(3, home), 3)).toBe(false);
});
