import { type Client, type QueueRecord, clientKey, ephemeralId } from '@parley/protocol';

/** A queue's record with what the hot path asks of it. */
export interface Queue extends QueueRecord {
  /** Queues with the same key are sent the same bytes, but for their own fields. */
  readonly clientKey: number;
  /** Wire id that stands for the registration: nothing up to it is heard. */
  readonly registeredId: number;
  /** Whether it hears every public channel: its client asked for them, and its owner is no guest by now. */
  hearsOpen: boolean;
}

/** Thousands of queues say the same: each value is kept once. */
const clients = new Map<number, Client>();
const texts = new Map<string, string>();
const textsMax = 10_000;
const noTerms: QueueRecord['narrow'] = [];

function shared(text: string): string {
  const known = texts.get(text);
  if (known !== undefined) return known;
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
    realm: shared(record.realm),
    epoch: shared(record.epoch),
    narrow: record.narrow.length === 0 ? noTerms : record.narrow,
    client,
    clientKey: key,
    registeredId: ephemeralId({ after: record.registeredAt, n: record.ephemeralAt }),
    hearsOpen: record.allPublicStreams,
  };
}
