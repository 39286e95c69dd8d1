import { type Client, type QueueIds, type QueueRecord, clientKey, queueIds } from '@parley/protocol';

/**
 * A queue's record, with what the hot path needs of it. It is a class because V8 gives an object that is spread from
 * another, and gets properties of its own, a hidden class of its own: each property of thousands of queues was then
 * looked up by name.
 */
export class Queue implements QueueRecord {
  readonly id: string;
  readonly realmId: number;
  readonly realm: string;
  readonly epoch: string;
  /** The last position that the registry knows: its cursors up to there are of the history that has it. */
  position: QueueRecord['position'];
  /** The history of a ring that its cursors up to `provenTo` are known to be of; null before that was looked at. */
  provenIn: object | null;
  /** The last entry of that history up to which this node has proved or handed out cursors, and its term if that is known. */
  provenTo: number;
  provenTerm: string | undefined;
  readonly userId: number;
  readonly eventTypes: QueueRecord['eventTypes'];
  readonly client: Client;
  readonly mirror: string;
  readonly narrow: QueueRecord['narrow'];
  readonly allPublicStreams: boolean;
  readonly registeredAt: number;
  readonly ephemeralAt: number;
  readonly idForm: QueueRecord['idForm'];
  readonly registeredMs: QueueRecord['registeredMs'];
  readonly idleSeconds: number;
  /** Queues with the same key are sent the same bytes, but for their own fields. */
  readonly clientKey: number;
  /** The ids of its events. */
  readonly ids: QueueIds;
  /** The queue receives every public channel: its client asked for that, and its user is not a guest now. */
  receivesAllPublic: boolean;

  constructor(record: QueueRecord) {
    const key = clientKey(record.client);
    this.id = record.id;
    this.realmId = record.realmId;
    this.realm = intern(record.realm);
    this.epoch = intern(record.epoch);
    this.position = record.position;
    this.provenIn = null;
    this.provenTo = 0;
    this.provenTerm = undefined;
    this.userId = record.userId;
    this.eventTypes = record.eventTypes;
    this.client = clients.get(key) ?? record.client;
    this.mirror = intern(record.mirror);
    this.narrow = record.narrow.length === 0 ? noTerms : record.narrow;
    this.allPublicStreams = record.allPublicStreams;
    this.registeredAt = record.registeredAt;
    this.ephemeralAt = record.ephemeralAt;
    this.idForm = record.idForm;
    this.registeredMs = record.registeredMs;
    this.idleSeconds = record.idleSeconds;
    this.clientKey = key;
    this.ids = queueIds(record);
    this.receivesAllPublic = record.allPublicStreams;
    clients.set(key, this.client);
  }

  /** Returns its record as it is to be written: each field by its name, since to copy all others is slow. */
  record(position: QueueRecord['position'], acknowledged: number | undefined): QueueRecord {
    return {
      id: this.id,
      realmId: this.realmId,
      realm: this.realm,
      epoch: this.epoch,
      position,
      userId: this.userId,
      eventTypes: this.eventTypes,
      client: this.client,
      mirror: this.mirror,
      narrow: this.narrow,
      allPublicStreams: this.allPublicStreams,
      registeredAt: this.registeredAt,
      ephemeralAt: this.ephemeralAt,
      idForm: this.idForm,
      registeredMs: this.registeredMs,
      idleSeconds: this.idleSeconds,
      acknowledged,
    };
  }

  /** Its cursors up to an entry are known to be of the history of a ring. */
  proveTo(seq: number, term: string | undefined, history: object): void {
    if (this.provenIn === history && this.provenTo >= seq) return;
    this.provenIn = history;
    this.provenTo = seq;
    this.provenTerm = term;
  }
}

/** Thousands of queues hold equal values: each value is kept once. */
const clients = new Map<number, Client>();
const texts = new Map<string, string>();
const textsMax = 10_000;
const noTerms: QueueRecord['narrow'] = [];

function intern(text: string): string {
  const interned = texts.get(text);
  if (interned !== undefined) return interned;
  if (texts.size >= textsMax) texts.clear();
  texts.set(text, text);
  return text;
}
