/** A change of one file's text, made as the file is loaded. */
export interface Mutation {
  /** Path below the checkout. */
  file: string;
  from: string;
  to: string;
}

/** Every seventh entry is committed and never published, as when an api node dies in between. */
const losingCarrier: Mutation = {
  file: 'shared/log/dist/publish.js',
  from: "redis.status !== 'ready'",
  to: "redis.status !== 'ready' || seq % 7 === 0",
};

/**
 * Guarantees broken on purpose in the built code of the nodes: the checker has to see each. Nothing in the services
 * knows of these.
 */
export const mutations: Record<string, readonly Mutation[]> = {
  /** Breaks no guarantee: a carrier that loses entries is what hole filling is for. */
  carrier: [losingCarrier],
  /** Instead of filling a hole, takes what is missing for nobody's business. */
  holes: [
    losingCarrier,
    {
      file: 'shared/log/dist/sequencer.js',
      from: 'if (entry.seq > head + 1) {',
      to: `const missing = [];
        while (entry.seq > head + 1) {
          missing.push({ seq: (head += 1), audience: { users: [] }, event: { type: 'missing' } });
        }
        if (false) {`,
    },
    {
      file: 'shared/log/dist/sequencer.js',
      from: 'const run = [entry];',
      to: 'const run = [...missing, entry];',
    },
  ],
  /** Takes everyone for a member of every channel. */
  audience: [
    {
      file: 'services/queue/dist/core/matches-queue.js',
      from: 'return members?.some((id) => sets.has(id, userId)) ?? false;',
      to: 'return true;',
    },
  ],
  /** Takes the last event that a client heard for one that it has not heard. */
  cursor: [
    {
      file: 'services/queue/dist/core/collect-events.js',
      from: 'if (id++ <= lastEventId)',
      to: 'if (id++ < lastEventId)',
    },
  ],
  /** A service that was not reached is not asked again. */
  webhooks: [
    {
      file: 'services/worker/dist/webhooks/call-service.js',
      from: 'error instanceof AddressRefused',
      to: 'error instanceof Unreachable',
    },
  ],
  /** A message is sent in one transaction, and its schedule ends in another, two seconds later. */
  schedule: [
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
};
