import * as actions from '@parley/actions';
import * as model from '@parley/model';
import { limits } from '@parley/protocol';
import { z } from 'zod';

import { endpoint, form } from '../endpoint/endpoint.ts';

const text = z.string().refine((raw) => !raw.includes('\0'), 'contains a null character.');
const Key = text.refine(
  (key) => [...key].length <= limits.storedKeyLength,
  `can have at most ${limits.storedKeyLength} characters.`,
);
const keys = form.jsonWithNulls(z.array(Key).max(limits.storedKeys)).optional();

/** Texts by key, as entries: a record would drop a key with the name of an object's own property. */
const Entries = z
  .custom<Record<string, unknown>>(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    'must be an object.',
  )
  .meta({ type: 'object', additionalProperties: { type: 'string' } })
  .transform((value) => Object.entries(value))
  .pipe(z.array(z.tuple([Key, text])).max(limits.storedKeys));

export const botStorageRoutes = [
  endpoint({
    method: 'GET',
    path: '/bot_storage',
    summary: 'Reads what the caller has stored, by some keys or by all.',
    since: null,
    errors: [],
    params: { keys },
    returns: { storage: z.record(z.string(), z.string()) },
    async handle({ actor, params, snapshot }) {
      return {
        storage: await snapshot((tx) => model.botStorage.readStorage(tx, actor, params.keys ?? null)),
      };
    },
  }),

  endpoint({
    method: 'PUT',
    path: '/bot_storage',
    summary: 'Stores texts by key for the caller.',
    since: null,
    errors: [],
    isLong: true,
    params: { storage: form.jsonWithNulls(Entries) },
    returns: {},
    async handle({ actor, params, perform }) {
      await perform(actions.botStorage.put, { actor, entries: params.storage });
      return {};
    },
  }),

  endpoint({
    method: 'DELETE',
    path: '/bot_storage',
    summary: 'Removes what the caller has stored, by some keys or by all.',
    since: null,
    errors: [],
    isLong: true,
    params: { keys },
    returns: {},
    async handle({ actor, params, perform }) {
      await perform(actions.botStorage.remove, { actor, keys: params.keys ?? null });
      return {};
    },
  }),
];
