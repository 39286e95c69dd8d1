import { type QueueRecord, clientKey } from '@parley/protocol';

/** A queue's record with what the hot path asks of it. */
export interface Queue extends QueueRecord {
  /** Queues with the same key are sent the same bytes, but for their own fields. */
  readonly clientKey: number;
}

export const createQueue = (record: QueueRecord): Queue => ({
  ...record,
  clientKey: clientKey(record.client),
});
