import type { PublishedEphemeral } from './ephemeral.ts';
import type { QueueRecord } from './queue-record.ts';

/**
 * How the ids of a queue's events follow from the log alone, on every node. Each entry has as many ids as every other:
 * first those of its own events, then those that belong to no entry, which ephemeral events and heartbeats take. An
 * entry with more events takes ids of the entries before it, which were appended for that and hold no event.
 */
export class QueueIds {
  readonly perEntry: number;
  readonly eventsMax: number;
  /** The first id of entry 0. */
  private readonly origin: number;

  constructor({ perEntry, eventsMax }: Layout, origin: number) {
    this.perEntry = perEntry;
    this.eventsMax = eventsMax;
    this.origin = origin;
  }

  /** Returns the id of an entry's first event. */
  firstOf(seq: number): number {
    return this.origin + seq * this.perEntry;
  }

  /** Returns the first id behind all events of an entry: it says that all of the entry was received. */
  behind(seq: number): number {
    return this.firstOf(seq) + this.eventsMax;
  }

  /** Returns the entry to which an id belongs. */
  seqOf(id: number): number {
    return Math.floor((id - this.origin) / this.perEntry);
  }

  /**
   * Returns the id of the first of so many events of an entry, the last of which is the last before `behind`, or none of
   * which takes another entry's id. Returns null if the entry and the `rooms` before it have too few ids.
   */
  firstOfEvents(seq: number, rooms: number, count: number): number | null {
    const more = count - this.eventsMax;
    if (more <= 0) return this.firstOf(seq);
    return more <= rooms * this.perEntry ? this.firstOf(seq) - more : null;
  }

  /** Returns the id of an ephemeral event. */
  ephemeral({ after, n }: Pick<PublishedEphemeral, 'after' | 'n'>): number {
    return this.firstOf(after) + Math.max(this.eventsMax, n % this.perEntry);
  }
}

interface Layout {
  perEntry: number;
  /** The events that an entry may become without taking other entries' ids. */
  eventsMax: number;
}

/** Few ids, so that those of a queue that lives for weeks are below 2^31. */
export const denseLayout = { perEntry: 8, eventsMax: 3 } as const satisfies Layout;

/** The ids of queues that nodes of versions before 0.9 registered. */
const wideLayout = { perEntry: 1_000_000, eventsMax: 500_000 } as const satisfies Layout;
/** Ids after an entry that ephemeral events use. Heartbeats use the ids above them. */
const wideEphemeralsMax = 400_000;

class WideIds extends QueueIds {
  constructor() {
    super(wideLayout, 0);
  }

  override ephemeral({ after, n }: Pick<PublishedEphemeral, 'after' | 'n'>): number {
    return this.behind(after) + (n % wideEphemeralsMax);
  }
}

const wideIds = new WideIds();

/** Returns the ids of a queue. Dense ones begin such that the first id behind its registration is 0. */
export const queueIds = ({ idForm, registeredAt }: Pick<QueueRecord, 'idForm' | 'registeredAt'>): QueueIds =>
  idForm === 'wide'
    ? wideIds
    : new QueueIds(denseLayout, -(registeredAt * denseLayout.perEntry + denseLayout.eventsMax));

/** Returns the last id that a client of a new queue has received: what a registration answers. */
export const registeredId = (record: Pick<QueueRecord, 'idForm' | 'registeredAt'>): number =>
  record.idForm === 'wide' ? wideIds.firstOf(record.registeredAt) : -1;

/** Returns how many entries are appended before one that becomes so many events, for their ids. */
export const roomsFor = (count: number): number =>
  Math.max(0, Math.ceil((count - denseLayout.eventsMax) / denseLayout.perEntry));
