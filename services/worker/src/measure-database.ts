import {
  type Sql,
  listIdsLeft,
  listLargestRealms,
  listLockWaits,
  listReplicas,
  readArchiveAge,
  readConnections,
} from '@parley/db';
import { gauge } from '@parley/telemetry';

import { shared } from './shared-reading.ts';

const lagSeconds = gauge(
  'parley_database_replica_lag_seconds',
  'How long a replica of Postgres takes to replay what the primary writes, by how it takes part in commits',
  ['replica', 'state'],
);
const lagBytes = gauge(
  'parley_database_replica_lag_bytes',
  'Write-ahead log that a replica of Postgres has not replayed',
  ['replica', 'state'],
);
const archiveAge = gauge(
  'parley_archive_age_seconds',
  'How long the archive of the write-ahead log has been the same while it lacks something; 0 when it has everything, absent where Postgres does not archive',
);
const lockWaiters = gauge(
  'parley_database_lock_waiters',
  'Sessions of Postgres that wait for the head of a log, with which every append begins, or for another lock',
  ['lock'],
);
const lockWaitSeconds = gauge(
  'parley_database_lock_wait_seconds',
  'How long the session has waited that waits longest',
  ['lock'],
);
const connections = gauge(
  'parley_database_connections',
  'Connections to the server of Postgres: those in use, and the most that it takes',
  ['state'],
);
const idsLeft = gauge(
  'parley_ids_left_ratio',
  'Which part of the numbers of a sequence is left, from 0 to 1; of messages and events, in the realm that has most',
  ['ids'],
);
const largestRealm = gauge(
  'parley_largest_realm_rows',
  'About how many messages or users the organization has that has most of them',
  ['of'],
);

/** Measures what Postgres says of itself, until disposed of. */
export function measureDatabase(sql: Sql): Disposable {
  const replicas = shared(() => listReplicas(sql));
  const lockWaits = shared(() => listLockWaits(sql));
  const watched = [
    lagSeconds.watch(async (set) => {
      for (const { name, state, lagSeconds: value } of await replicas()) set(value, { replica: name, state });
    }),
    lagBytes.watch(async (set) => {
      for (const { name, state, lagBytes: value } of await replicas()) set(value, { replica: name, state });
    }),
    archiveAge.watch(async (set) => {
      const seconds = await readArchiveAge(sql);
      if (seconds !== null) set(seconds);
    }),
    lockWaiters.watch(async (set) => {
      for (const { lock, sessions } of await lockWaits()) set(sessions, { lock });
    }),
    lockWaitSeconds.watch(async (set) => {
      for (const { lock, longestSeconds } of await lockWaits()) set(longestSeconds, { lock });
    }),
    connections.watch(async (set) => {
      const { used, max } = await readConnections(sql);
      set(used, { state: 'used' });
      set(max, { state: 'max' });
    }),
    idsLeft.watch(async (set) => {
      for (const { ids, left } of await listIdsLeft(sql)) set(left, { ids });
    }),
    largestRealm.watch(async (set) => {
      for (const { of, rows } of await listLargestRealms(sql)) set(rows, { of });
    }),
  ];
  return {
    [Symbol.dispose]() {
      for (const one of watched) one[Symbol.dispose]();
    },
  };
}
