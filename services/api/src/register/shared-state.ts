import type { Tx } from '@parley/db';
import { BoundedCache } from '@parley/kit';
import { gauge } from '@parley/telemetry';
import { sql } from 'drizzle-orm';
import { LRUCache } from 'lru-cache';

import type { LogHead, SharedState, SharedStates } from '../endpoint/registrations.ts';
import { SharedJson } from '../http/json-text.ts';

/** Entries of these types change no shared part. */
const harmless = [
  'message',
  'update_message',
  'delete_message',
  'reaction',
  'submessage',
  'update_message_flags',
  'user_topic',
  'drafts',
  'room',
];

const sharedBytes = gauge('parley_shared_state_bytes', 'Memory of state that registrations share');
const sharedBytesMax = gauge(
  'parley_shared_state_bytes_max',
  'Most memory of state that registrations share',
);

const keptMs = 30_000;
/** When the log has gone on further, looking at what came costs more than reading the state. */
const entriesMax = 2000;

/** What was read of one realm. It holds for every position of the log from `first` to `last`. */
interface Kept extends Pick<LogHead, 'epoch' | 'term' | 'rulesVersion'> {
  id: number;
  first: number;
  last: number;
}

const unshared: SharedState = {
  share: async (_, read) => new SharedJson(await read()),
};

/** Shares what registrations of all realms read, in `bytesMax`: what was used least lately is read again. */
export function createSharedStates(bytesMax: number): SharedStates & Disposable {
  const keptOfRealm = new LRUCache<number, Kept>({ max: 1000, ttl: keptMs });
  const texts = new BoundedCache<string, Promise<SharedJson>>('registrations', {
    bytesOf: () => 1,
    ttlMs: keptMs,
    bytesMax: Math.max(bytesMax, 1),
  });
  const measuring = [
    sharedBytes.watch((set) => set(texts.bytes)),
    sharedBytesMax.watch((set) => set(bytesMax)),
  ];
  let nextId = 0;

  function share(id: number, key: string, read: () => Promise<unknown>): Promise<SharedJson> {
    const name = `${id} ${key}`;
    const known = texts.get(name);
    // Whoever was reading it may have failed for reasons of their own.
    if (known) return known.catch(() => unshared.share(key, read));
    const reading = unshared.share(key, read);
    texts.set(name, reading);
    reading.then(
      // Plain, and compressed if somebody asks for that.
      (json) => texts.recount(name, reading, json.bytes.length * 2),
      () => texts.delete(name),
    );
    return reading;
  }

  return {
    async at(tx, head) {
      const { realmId, epoch, term, rulesVersion, seq } = head;
      const kept = keptOfRealm.get(realmId);
      // Within a term there is one history; positions of two need not be.
      const isSame = kept?.epoch === epoch && kept.term === term && kept.rulesVersion === rulesVersion;
      // A snapshot from before what is kept shares nothing, and does not replace it.
      if (kept && isSame && seq < kept.first) return unshared;
      if (kept && isSame && seq - kept.last <= entriesMax) {
        if (seq <= kept.last || (await isUnchanged(tx, realmId, kept.last, seq))) {
          kept.last = Math.max(kept.last, seq);
          return { share: (key, read) => share(kept.id, key, read) };
        }
        // Somebody else was sooner to see the change, and what they read holds for this snapshot, too.
        if (keptOfRealm.get(realmId) !== kept) return await this.at(tx, head);
      }
      const fresh = { id: (nextId += 1), epoch, term, rulesVersion, first: seq, last: seq };
      keptOfRealm.set(realmId, fresh);
      return { share: (key, read) => share(fresh.id, key, read) };
    },
    [Symbol.dispose]() {
      for (const one of measuring) one[Symbol.dispose]();
    },
  };
}

/** Whether all entries after `last` are there, and none changes a shared part. */
async function isUnchanged(tx: Tx, realmId: number, last: number, seq: number): Promise<boolean> {
  const [row] = await tx.execute<{ count: number }>(sql`
    select count(*)::int as count from event_log
    where realm_id = ${realmId} and seq > ${last} and seq <= ${seq}
      and entry #>> '{event,type}' = any(${`{${harmless.join()}}`}::text[])`);
  return row?.count === seq - last;
}
