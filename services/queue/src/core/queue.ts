import { type Client, type QueueRecord, clientKey, ephemeralId } from '@parley/protocol';

/** A queue's record, with what the hot path needs of it. */
export interface Queue extends QueueRecord {
  /** Queues with the same key are sent the same bytes, but for their own fields. */
  readonly clientKey: number;
  /** Wire id of the registration: no event up to it is for this queue. */
  readonly registeredId: number;
  /** The queue receives every public channel: its client asked for that, and its user is not a guest now. */
  receivesAllPublic: boolean;
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

export function createQueue(record: QueueRecord): Queue {
  const key = clientKey(record.client);
  const client = clients.get(key) ?? record.client;
  clients.set(key, client);
  return {
    ...record,
    realm: intern(record.realm),
    epoch: intern(record.epoch),
    narrow: record.narrow.length === 0 ? noTerms : record.narrow,
    client,
    clientKey: key,
    registeredId: ephemeralId({ after: record.registeredAt, n: record.ephemeralAt }),
    receivesAllPublic: record.allPublicStreams,
  };
}
