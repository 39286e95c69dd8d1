import type { Tx } from '@parley/db';
import { BoundedCache } from '@parley/kit';
import * as model from '@parley/model';

import { Joined, type Reader } from './joined.ts';

type Change = model.presence.PresenceChange;
type Rules = model.permissions.Rules;

/** What one person's presence takes of memory, about. */
const personBytes = 200;
/** So many changes are read before others have a turn. */
const changesAtOnce = 5000;
/** All is read again after this, whatever has changed. */
const keptMs = 300_000;
/** Replies are made anew when so long has passed for each person: making them costs the same share of time in any realm. */
const pauseMsOfPerson = 0.3;
const pauseMsMax = 3000;
/** Clients ask again after a minute. */
const marksMax = 256;

/** The presence of everybody in a realm, in the order in which it changed. */
export class KeptPresences {
  readonly id: number;
  /** By which it was read. */
  readonly rules: Rules;
  private readonly loadedMs: number;
  private readonly people = new Map<number, Change>();
  /** Every change up to this one is among them. */
  private newest = -1;
  private isReversed = false;
  private shownMs = 0;
  /** The update ids that replies have named, ascending. */
  private readonly marks: number[] = [];
  /** Rises whenever replies are made anew. */
  shown = 0;

  constructor(id: number, rules: Rules, nowMs: number) {
    this.id = id;
    this.rules = rules;
    this.loadedMs = nowMs;
  }

  get size(): number {
    return this.people.size;
  }

  /** The update id that replies name. Some later changes may be among what they tell as well. */
  get upTo(): number {
    return this.marks.at(-1) ?? -1;
  }

  isOld(nowMs: number): boolean {
    return nowMs - this.loadedMs > keptMs;
  }

  /** Reads what has changed, and decides whether replies are made anew. Returns whether the rules are the same still. */
  async refresh(tx: Tx, realmId: number, nowMs: number): Promise<boolean> {
    let isSame = true;
    for (let count = changesAtOnce; count === changesAtOnce;) {
      const { rulesVersion, changes } = await model.presence.listChanges(
        tx,
        realmId,
        this.newest,
        changesAtOnce,
      );
      for (const change of changes) this.apply(change);
      isSame &&= rulesVersion <= this.rules.version;
      count = changes.length;
    }
    this.show(nowMs);
    return isSame;
  }

  private show(nowMs: number): void {
    const pauseMs = Math.min(pauseMsMax, this.people.size * pauseMsOfPerson);
    // Who hides is hidden at once: others have been told.
    if (this.shown > 0 && !this.isReversed && nowMs - this.shownMs < pauseMs) return;
    const isNew = this.shown === 0 || this.isReversed || this.newest > this.upTo;
    this.shownMs = nowMs;
    this.isReversed = false;
    if (!isNew) return;
    this.shown += 1;
    if (this.newest > this.upTo) this.marks.push(this.newest);
    if (this.marks.length > marksMax) this.marks.shift();
  }

  /**
   * Returns an update id that many have in common: what has changed after it includes what has changed after the given
   * one, and little else.
   */
  commonOf(since: number): number {
    if (since >= this.newest) return since;
    const mark = this.marks.findLast((one) => one <= since);
    return mark ?? since;
  }

  /** Returns those whose presence has changed after an update id. */
  changedAfter(since: number): Change[] {
    const changed: Change[] = [];
    for (const change of this.people.values()) if (change.updateId > since) changed.push(change);
    return changed;
  }

  private apply(change: Change): void {
    const known = this.people.get(change.id);
    // Somebody else has read further meanwhile.
    if (known && known.updateId >= change.updateId) return;
    if (known && isEarlier(change.times, known.times)) this.isReversed = true;
    this.people.delete(change.id);
    this.people.set(change.id, change);
    this.newest = Math.max(this.newest, change.updateId);
  }
}

/** Returns whether presence went back in time, as it does for those who hide it. */
const isEarlier = (next: Change['times'], before: Change['times']): boolean =>
  next.active_timestamp < before.active_timestamp || next.idle_timestamp < before.idle_timestamp;

const bytesOf = ({ size }: KeptPresences): number => (size + 1) * personBytes;

/** The presences of realms with many people, which this process keeps; the least recently used are dropped. */
export class KeptRealms {
  private readonly realms = new BoundedCache<number, KeptPresences>('presences', {
    bytesOf,
  });
  private readonly loading = new Joined<KeptPresences>();
  private nextId = 0;

  /** Returns the presences of a realm as the transaction sees them, or newer. */
  async at(reader: Reader, realmId: number, nowMs: number): Promise<KeptPresences> {
    const known = this.realms.get(realmId);
    const size = known?.size ?? 0;
    if (known && !known.isOld(nowMs) && (await known.refresh(reader.tx, realmId, nowMs))) {
      if (known.size > size) this.realms.recount(realmId, known, bytesOf(known));
      return known;
    }
    return await this.loading.share(
      String(realmId),
      reader,
      () => this.load(reader.tx, realmId, nowMs),
      (loaded) => loaded.refresh(reader.tx, realmId, nowMs),
    );
  }

  private async load(tx: Tx, realmId: number, nowMs: number): Promise<KeptPresences> {
    const rules = await model.permissions.getRules(tx, realmId);
    const kept = new KeptPresences((this.nextId += 1), rules, nowMs);
    await kept.refresh(tx, realmId, nowMs);
    this.realms.set(realmId, kept);
    return kept;
  }
}
