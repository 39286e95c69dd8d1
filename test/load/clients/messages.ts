import type { Rates } from '../kinds.ts';
import type { Organization } from '../organizations.ts';
import type { Second } from '../recorder.ts';

/** A client and its queue; without one, it registers when the load begins. */
export interface QueueOrder {
  organization: number;
  account: number;
  queueId: string | null;
}

/** What a process of clients is started with. */
export interface Orders {
  /** The number of this process, and how many there are. */
  number: number;
  processes: number;
  port: number;
  /** The address that its clients come from. */
  address: string;
  organizations: Organization[];
  /** So many of them, the first ones, are asked for anything. */
  asked: number;
  /** Addresses of files, with the accounts that may read them. */
  files: { organization: number; account: number; path: string }[];
  hasOneSender: boolean;
  /** They ask for no more while some requests wait, and again for what was not answered. */
  arePatient: boolean;
  pollers: QueueOrder[];
  /** Polled once, until they are abandoned. */
  abandoned: QueueOrder[];
  /** Read a few bytes at a time, from when the load begins. */
  slowReaders: QueueOrder[];
}

/** What a process of clients is told. */
export type Command =
  /** So many of those that have not connected yet; all of them unless told. */
  | { kind: 'open'; count?: number }
  | { kind: 'abandon' }
  | { kind: 'begin'; rates: Rates; atMs: number }
  | { kind: 'stop asking' }
  | { kind: 'collect' };

/** What one client heard: three numbers for each event, its id, its message (-1: none, -2: not in the log) and the time. */
export interface HeardByClient {
  organization: number;
  userId: number;
  queueId: string;
  heard: Float64Array;
}

/** A send that was asked for; without a message if nobody said that it was sent. */
export interface AskedSend {
  organization: number;
  localId: string;
  messageId: number | null;
  /** For when it was meant, and when it was asked for. */
  intendedMs: number;
  askedMs: number;
  slowestAnswerMs: number;
}

export interface Collected {
  clients: HeardByClient[];
  sends: AskedSend[];
}

/** What a process of clients says: every second what happened, and the end of each command. */
export type Report =
  | { kind: 'second'; second: Second; heard: number; acknowledged: number }
  | { kind: 'done'; collected?: Collected };
