import type { Tx } from '@parley/db';
import type { Engine } from '@parley/engine';
import { SmallCache, BoundedCache, takeBreak } from '@parley/kit';
import { type Actor, isGuest } from '@parley/model';
import * as model from '@parley/model';
import { legacyPresence, presenceHistoryDays } from '@parley/protocol';

import { type JsonText, sharedText } from '../http/json-text.ts';
import { Joined, type Reader } from './joined.ts';
import { type KeptPresences, KeptRealms } from './kept.ts';

type Change = model.presence.PresenceChange;
type PresenceQuery = model.presence.PresenceQuery;
type PresenceState = ReturnType<typeof model.presence.presentState>;

/** A reply with more people is made for many at once. */
const ownMax = 100;
/** Realms that had so many lately. */
const largeMax = 100_000;
const textKeptMs = 10_000;
/** So many people are written before others have a turn. */
const peopleAtOnce = 5000;
const dayMs = 86_400_000;

/** The presence of others, as replies have it. */
export interface SharedPresences {
  /**
   * Returns the presences that a viewer may see. In a realm with many people it is the same JSON for all who ask in the same
   * few seconds: it may be so old, and may tell of a change that the viewer has heard of. Whoever has a transaction under
   * way gives it: they must not wait for another connection.
   */
  state(
    viewer: Actor,
    isSlim: boolean,
    query: PresenceQuery,
    tx?: Tx,
  ): Promise<Omit<PresenceState, 'presences'> & { presences: PresenceState['presences'] | JsonText }>;
}

export const createSharedPresences = (deps: Pick<Engine, 'db' | 'snapshot'>): SharedPresences =>
  new Presences(deps);

class Presences implements SharedPresences {
  private readonly db: Engine['db'];
  private readonly snapshot: Engine['snapshot'];
  private readonly large = new SmallCache<number, true>(largeMax, { ttl: 600_000 });
  private readonly realms = new KeptRealms();
  private readonly texts = new BoundedCache<string, JsonText>('presenceTexts', {
    // Plain, and compressed if somebody asks for that.
    bytesOf: (text) => text.length * 2,
    ttlMs: textKeptMs,
  });
  private readonly writing = new Joined<JsonText>();

  constructor({ db, snapshot }: Pick<Engine, 'db' | 'snapshot'>) {
    this.db = db;
    this.snapshot = snapshot;
  }

  async state(viewer: Actor, isSlim: boolean, query: PresenceQuery, tx?: Tx) {
    const { realm } = viewer;
    if (this.large.get(realm.id, { updateAgeOnGet: true })) {
      const reader = { tx: tx ?? this.db, isConnected: tx !== undefined };
      const kept = await this.realms.at(reader, realm.id, query.nowMs);
      if (!hasOwnView(viewer, kept.rules, query))
        return await this.shared(kept, viewer, isSlim, query, reader);
    }
    const list = (reading: Tx) => model.presence.listPresences(reading, viewer, query);
    const presences = await (tx ? list(tx) : this.snapshot(list));
    if (presences.people.length > ownMax) this.large.set(realm.id, true);
    return model.presence.presentState(presences, isSlim, query.nowMs);
  }

  private async shared(
    kept: KeptPresences,
    { realm }: Actor,
    isSlim: boolean,
    { since = -1, historyDays = presenceHistoryDays, nowMs }: PresenceQuery,
    reader: Reader,
  ) {
    const after = since < 0 ? -1 : kept.commonOf(since);
    const days = since < 0 ? historyDays : null;
    const key = [realm.id, kept.id, kept.shown, after, days, isSlim].join(' ');
    const lastUpdateId = Math.max(kept.upTo, since);
    const write = async () => {
      const oldest = days === null ? -Infinity : (nowMs - days * dayMs) / 1000;
      const people = kept.changedAfter(after).filter(({ times }) => times.idle_timestamp > oldest);
      const addresses = isSlim ? null : await model.presence.listAddresses(reader.tx, realm);
      const text = await textOf(people, addresses);
      this.texts.set(key, text);
      return text;
    };
    return {
      presences: this.texts.get(key) ?? (await this.writing.share(key, reader, write)),
      presence_last_update_id: lastUpdateId,
      server_timestamp: nowMs / 1000,
    };
  }
}

/** Returns whether a viewer is not shown what all others are. */
const hasOwnView = (
  viewer: Actor,
  rules: model.permissions.Rules,
  { since = -1, historyDays }: PresenceQuery,
): boolean =>
  rules.settings.presence_disabled ||
  (since < 0 && historyDays === 0) ||
  (isGuest(viewer) && model.access.restrictsGuests(rules));

/** Returns the JSON of presences: by user id, or where addresses are given by those. */
async function textOf(
  people: readonly Change[],
  addresses: ReadonlyMap<number, string> | null,
): Promise<JsonText> {
  const pieces = [Buffer.from('{')];
  let separator = '';
  for (let first = 0; first < people.length; first += peopleAtOnce) {
    let text = '';
    for (const { id, times } of people.slice(first, first + peopleAtOnce)) {
      const name = addresses ? addresses.get(id) : String(id);
      // Somebody who has been deactivated meanwhile.
      if (name === undefined) continue;
      text += `${separator}${JSON.stringify(name)}:${addresses ? JSON.stringify(legacyPresence(times)) : slimJson(times)}`;
      separator = ',';
    }
    pieces.push(Buffer.from(text));
    await takeBreak();
  }
  pieces.push(Buffer.from('}'));
  return sharedText(pieces);
}

/** JSON.stringify takes three times as long. */
const slimJson = ({ active_timestamp, idle_timestamp }: Change['times']): string =>
  `{"active_timestamp":${active_timestamp},"idle_timestamp":${idle_timestamp}}`;
