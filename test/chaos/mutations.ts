import type { SourceChange } from './change-sources.ts';

/** What ends with every seventh entry is committed and never published, as when an api node dies in between. */
const losingCarrier: SourceChange = {
  file: 'shared/log/dist/publish.js',
  from: "redis.status !== 'ready'",
  to: "redis.status !== 'ready' || lastSeq % 7 === 0",
};

/** Nobody says where the log has been but the records of queues: neither the processes that wrote it, nor the streams. */
const silentWitnesses: readonly SourceChange[] = [
  {
    file: 'shared/log/dist/fence.js',
    from: 'if (known && known.term !== position.term) {',
    to: 'if (false) {',
  },
  { file: 'shared/log/dist/fence.js', from: 'of this.own.entries()', to: 'of []' },
  {
    file: 'shared/log/dist/follower.js',
    from: "if (run.signed === '' || seen.has(run.realmId))",
    to: 'if (true)',
  },
];

/** A guarantee that is broken. */
interface Broken {
  changes: readonly SourceChange[];
  /** The scenario that shows it. */
  under: string;
  /** What the checker then counts; null where nothing that clients hear changes. */
  counted: string | null;
}

/**
 * Guarantees broken on purpose in the built code of the nodes: the checker has to see each. Nothing in the services
 * knows of these.
 */
export const mutations: Readonly<Record<string, Broken>> = {
  /** Breaks no guarantee: a carrier that loses entries is what hole filling is for. */
  carrier: { under: 'calm', counted: null, changes: [losingCarrier] },
  /** Instead of filling a hole, takes what is missing for nobody's business. */
  holes: {
    under: 'calm',
    counted: 'lost',
    changes: [
      losingCarrier,
      {
        file: 'shared/log/dist/sequencer.js',
        from: 'if (entry.seq > this.head + 1) {',
        to: `const missing = [];
        while (entry.seq > this.head + 1) {
          const lacking = { seq: this.head + 1, term: this.term, audience: { users: [] }, event: { type: 'missing' } };
          missing.push(lacking);
          this.advance(lacking);
        }
        if (false) {`,
      },
      {
        file: 'shared/log/dist/sequencer.js',
        from: 'const run = [];',
        to: 'const run = [...missing];',
      },
    ],
  },
  /** Takes everyone for a member of every channel. */
  audience: {
    under: 'calm',
    counted: 'leaked',
    changes: [
      {
        file: 'services/queue/dist/core/matches-queue.js',
        from: 'return members?.some((id) => sets.has(id, userId)) ?? false;',
        to: 'return true;',
      },
    ],
  },
  /** Takes the last event that a client heard for one that it has not heard. */
  cursor: {
    under: 'calm',
    counted: 'repeated',
    changes: [
      {
        file: 'services/queue/dist/core/collect-events.js',
        from: 'if (id <= lastEventId ||',
        to: 'if (id < lastEventId ||',
      },
    ],
  },
  /** A node counts the ids of a queue from another entry than the rest do. */
  ids: {
    under: 'kill-queue',
    counted: 'leaked',
    changes: [
      {
        file: 'shared/protocol/dist/queue-ids.js',
        from: '-(registeredAt * denseLayout.perEntry',
        to: '-((registeredAt + (process.pid % 2)) * denseLayout.perEntry',
      },
    ],
  },
  /** The newest event of a reply comes first. */
  order: {
    under: 'kill-queue',
    counted: 'reordered',
    changes: [
      {
        file: 'services/queue/dist/core/collect-events.js',
        from: 'batch.lines.push(line)',
        to: 'batch.lines.unshift(line)',
      },
    ],
  },
  /** A message that could not be sent is acknowledged. */
  acknowledgement: {
    under: 'restart-postgres',
    counted: 'writes_lost',
    changes: [
      {
        file: 'services/api/dist/routes/messages/send.js',
        from: 'await sendMessage(recipient, text, mirroredSenderId)',
        to: 'await sendMessage(recipient, text, mirroredSenderId).catch(() => ({ messageId: 1, newPolicy: null }))',
      },
    ],
  },
  /** Nobody knows a message again whose first try was not acknowledged. */
  retries: {
    under: 'partition-api',
    counted: 'writes_repeated',
    changes: [
      {
        file: 'services/api/dist/routes/messages/send.js',
        from: '{ queueId: queue_id, localId: local_id }',
        to: '{ queueId: `${queue_id}${Math.random()}`, localId: local_id }',
      },
    ],
  },
  /** Nobody writes queues back when Redis has lost its data. */
  restoring: {
    under: 'flush-redis',
    counted: 're_registered',
    changes: [
      {
        file: 'services/queue/dist/queues/renewals.js',
        from: 'for (const record of await registry.renew(renewed, nodeId))',
        to: 'for (const record of [])',
      },
    ],
  },
  /** A service that was not reached is not asked again. */
  webhooks: {
    under: 'receiver-down',
    counted: 'webhooks_lost',
    changes: [
      {
        file: 'services/worker/dist/webhooks/call-service.js',
        from: 'error instanceof AddressRefused',
        to: 'error instanceof Unreachable',
      },
    ],
  },
  /** A message is sent in one transaction, and its schedule ends in another, two seconds later. */
  schedule: {
    under: 'kill-worker',
    counted: 'scheduled_repeated',
    changes: [
      {
        file: 'shared/actions/dist/scheduled-messages/deliver.js',
        from: 'if (sentIds.length > 0) {',
        to: 'if (false) {',
      },
      {
        file: 'shared/actions/dist/scheduled-messages/deliver.js',
        from: 'return { ...result,',
        to: 'return { ...result, sentIds,',
      },
      {
        file: 'services/worker/dist/jobs/deliver-due.js',
        from: 'for (const error of errors)',
        to: `await new Promise((resolve) => setTimeout(resolve, 2000));
        await engine.sql\`update scheduled_messages set sent_at = now() where id = any(\${sentIds})\`;
        for (const error of errors)`,
      },
      {
        file: 'services/worker/dist/jobs/deliver-due.js',
        from: 'const { sent, failed, errors',
        to: 'const { sentIds, sent, failed, errors',
      },
    ],
  },
  /** The log is not compared with what anybody knows of it. */
  fence: {
    under: 'failover-async',
    counted: 'silent',
    changes: [
      {
        file: 'shared/log/dist/fence.js',
        from: 'for (const claim of lost) {',
        to: 'for (const claim of []) {',
      },
    ],
  },
  /** Breaks no guarantee: records of queues suffice, where nothing else remembers what is lost. */
  witnesses: { under: 'restore', counted: null, changes: silentWitnesses },
  /** A number that a client has acknowledged is taken for the entry that has it now. */
  cursors: {
    under: 'restore',
    counted: 'silent',
    changes: [
      ...silentWitnesses,
      {
        file: 'services/queue/dist/log/history-proof.js',
        from: 'if (!queue.position)',
        to: 'if (true)',
      },
    ],
  },
  /** A queue node keeps every reply: only a load goes on for long enough to tell. */
  memory: {
    under: 'calm',
    counted: null,
    changes: [
      {
        file: 'services/queue/dist/http/connection.js',
        from: "this.socket.write(head + body, 'latin1')",
        to: "((globalThis.kept ??= []).push(Buffer.from(head + body)), this.socket.write(head + body, 'latin1'))",
      },
    ],
  },
};
