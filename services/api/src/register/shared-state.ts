import type { Tx } from '@parley/db';
import { BoundedCache } from '@parley/kit';
import * as model from '@parley/model';

import type { LogHead, OwnEntry, SharedState, SharedStates, UserLists } from '../endpoint/registrations.ts';
import { SharedJson } from '../http/json-text.ts';
import { type LogChanges, listChanges } from './log-changes.ts';
import { type UserPart, changedParts, listText, partsOf, readParts } from './user-parts.ts';

/** All is read again after this, whatever the log says. */
const keptMs = 300_000;
/** When the log has gone on further, looking at what came costs more than reading the state, unless that is large. */
const entriesMax = 2000;
const entriesMaxOfPerson = 0.2;
/** Registrations that began earlier read an earlier state: so many are kept. */
const versionsMax = 8;

/** What was read of a realm. It holds for every position of the log from `first` to `last`. */
interface Version {
  first: number;
  last: number;
  /** Rises when groups change. */
  groups: number;
  /** All users, or null before somebody needs them. */
  parts: Promise<readonly UserPart[]> | null;
}

/** The state of a realm in one term of its log, as far as registrations share it. */
class RealmStates {
  private readonly head: LogHead;
  private readonly resized: () => void;
  private readonly beganMs = performance.now();
  /** Ascending. */
  private versions: Version[] = [];
  private readonly texts = new Map<string, { groups: number; json: Promise<SharedJson>; bytes: number }>();
  private people = 0;
  private newestGroups = 0;

  constructor(head: LogHead, resized: () => void = () => undefined) {
    this.head = head;
    this.resized = resized;
    this.versions = [{ first: head.seq, last: head.seq, groups: 0, parts: null }];
  }

  /** About. */
  bytes = 1;

  /** Returns whether it may be used still, for a snapshot of the same term. */
  isFor({ epoch, term }: LogHead): boolean {
    return this.head.epoch === epoch && this.head.term === term && performance.now() - this.beganMs < keptMs;
  }

  /** Returns whether a snapshot is from before anything that is kept. */
  isAfter({ seq }: LogHead): boolean {
    return seq < (this.versions[0]?.first ?? 0);
  }

  /** Returns the state in a snapshot whose log ends at `head`; null if what came since may be anything. */
  async at(tx: Tx, head: LogHead): Promise<SharedState | null> {
    for (;;) {
      const known = this.versions.findLast(({ first }) => first <= head.seq);
      if (!known) return null;
      if (head.seq <= known.last) return this.stateOf(known, head);
      const { last } = known;
      if (head.seq - last > Math.max(entriesMax, this.people * entriesMaxOfPerson)) return null;
      const changes = await listChanges(tx, head.realmId, last, head.seq);
      if (!changes) return null;
      const isKnownStill = known.last === last && this.versions.includes(known);
      // Somebody else has looked meanwhile.
      if (!isKnownStill || this.versions.findLast(({ first }) => first <= head.seq) !== known) continue;
      return this.stateOf(this.follow(known, changes, head.seq), head);
    }
  }

  /** Returns the version that follows from one by the changes of the log up to `seq`. */
  private follow(known: Version, { users, areGroupsChanged }: LogChanges, seq: number): Version {
    if (users.size === 0 && !areGroupsChanged) {
      known.last = seq;
      return known;
    }
    if (areGroupsChanged) this.newestGroups += 1;
    const version = {
      first: seq,
      last: seq,
      groups: areGroupsChanged ? this.newestGroups : known.groups,
      parts: known.parts?.then((parts) => changedParts(parts, users)) ?? null,
    };
    version.parts?.catch(() => undefined);
    const place = this.versions.indexOf(known) + 1;
    this.versions = [...this.versions.slice(0, place), version, ...this.versions.slice(place)].slice(
      -versionsMax,
    );
    const kept = new Set(this.versions.map(({ groups }) => groups));
    for (const [key, { groups }] of this.texts) if (!kept.has(groups)) this.texts.delete(key);
    return version;
  }

  private stateOf(version: Version, { realmId }: LogHead): SharedState {
    return {
      shareGroups: (key, read) => this.share(version, `${version.groups} ${key}`, read),
      listUserIds: async (tx) => (await this.partsAt(tx, realmId, version)).flatMap(({ ids }) => ids),
      userLists: async (tx, viewer, own) => {
        const parts = await readParts(tx, realmId, await this.partsAt(tx, realmId, version), viewer);
        this.measure();
        const lists = listsOf(parts, own);
        if (lists) return lists;
        // The log did not say that the caller's own row has changed. So it is not asked.
        const fresh = partsOf(await model.users.listUserIds(tx, realmId));
        const read = listsOf(await readParts(tx, realmId, fresh, viewer), own);
        if (!read) throw new Error('The caller is not in the lists of users.');
        return read;
      },
    };
  }

  private async partsAt(tx: Tx, realmId: number, version: Version): Promise<readonly UserPart[]> {
    if (version.parts) {
      // Whoever has begun may have failed for reasons of their own.
      const begun = await version.parts.catch(() => null);
      if (begun) return begun;
    }
    const reading = model.users.listUserIds(tx, realmId).then(partsOf);
    version.parts = reading;
    return await reading;
  }

  private share({ groups }: Version, key: string, read: () => Promise<unknown>): Promise<SharedJson> {
    const readIt = async () => new SharedJson(await read());
    const known = this.texts.get(key);
    // Whoever was reading it may have failed for reasons of their own.
    if (known) return known.json.catch(readIt);
    const text = { groups, json: readIt(), bytes: 0 };
    this.texts.set(key, text);
    text.json.then(
      ({ bytes }) => {
        // Plain, and compressed if somebody asks for that.
        text.bytes = bytes.length * 2;
        this.measure();
      },
      () => this.texts.delete(key),
    );
    return text.json;
  }

  /** Counts what is kept. Versions have most of their parts in common. */
  private measure(): void {
    const partsOfVersions = this.versions.map(async ({ parts }) => (await parts?.catch(() => [])) ?? []);
    void Promise.all(partsOfVersions).then((versions) => {
      const parts = new Set(versions.flat());
      this.people = versions.at(-1)?.reduce((sum, { ids }) => sum + ids.length, 0) ?? 0;
      this.bytes = 1;
      for (const part of parts) this.bytes += part.bytes;
      for (const { bytes } of this.texts.values()) this.bytes += bytes;
      this.resized();
    });
  }
}

type ReadParts = Awaited<ReturnType<typeof readParts>>;

/** Returns the lists, in which the caller has their own entry; null if they are in none. */
function listsOf(parts: ReadParts, own: OwnEntry | null): UserLists | null {
  const active = listText(parts, 'realm_users', own);
  const [inactive, system] = (['realm_non_active_users', 'cross_realm_bots'] as const).map((name) =>
    listText(parts, name, null),
  );
  if (!active || !inactive || !system) return null;
  return { realm_users: active, realm_non_active_users: inactive, cross_realm_bots: system };
}

/** Shares what registrations of all realms read, in `bytesMax`: what was used least lately is read again. */
export function createSharedStates(bytesMax: number): SharedStates {
  const realms = new BoundedCache<number, RealmStates>('registrations', {
    bytesOf: ({ bytes }) => bytes,
    // A cache has to have a limit; where nothing may be kept, nothing fits.
    bytesMax: Math.max(bytesMax, 1),
  });

  function begin(head: LogHead): RealmStates {
    const fresh: RealmStates = new RealmStates(head, () => realms.recount(head.realmId, fresh, fresh.bytes));
    realms.set(head.realmId, fresh);
    return fresh;
  }

  async function at(tx: Tx, head: LogHead): Promise<SharedState> {
    const kept = realms.get(head.realmId);
    const isUsable = kept?.isFor(head) ?? false;
    // A snapshot from before what is kept shares nothing, and does not replace it.
    const states = !kept || !isUsable ? begin(head) : kept.isAfter(head) ? new RealmStates(head) : kept;
    const state = await states.at(tx, head);
    if (state) return state;
    // Unless somebody else was sooner to see that anything may be another.
    if (realms.peek(head.realmId) === states) realms.delete(head.realmId);
    return await at(tx, head);
  }

  return { at };
}
