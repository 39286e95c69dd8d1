import type { SourceChange } from '../chaos/change-sources.ts';

/** A guard against a race that somebody has mended. */
interface Guard {
  /** What happens without it. */
  without: string;
  changes: readonly SourceChange[];
  /** Why no client misses it: another guard keeps the same from it. */
  covered?: string;
}

/** Guards that can be taken out of the built code: the simulation has to find each race again. Nothing in the product knows of these. */
export const guards: Readonly<Record<string, Guard>> = {
  'hole-filling': {
    without: 'a node takes what was not carried for nobody’s business',
    changes: [
      {
        file: 'shared/log/dist/sequencer.js',
        from: 'if (entry.seq > this.head + 1) {',
        to: `const missing = [];
        while (entry.seq > this.head + 1) {
          const lacking = { seq: this.head + 1, term: this.term, audience: { users: [] }, event: { type: 'room' } };
          missing.push(lacking);
          this.advance(lacking);
        }
        if (false) {`,
      },
      { file: 'shared/log/dist/sequencer.js', from: 'const run = [];', to: 'const run = [...missing];' },
    ],
  },
  'head-comparison': {
    without: 'the last entry before an api node dies is found when the next one is sent',
    changes: [
      {
        file: 'shared/log/dist/follower.js',
        from: 'if (head.seq > realm.sequencer.head)',
        to: 'if (false)',
      },
    ],
  },
  fence: {
    without: 'nobody compares the log with what is known of it',
    changes: [
      {
        file: 'shared/log/dist/fence.js',
        from: 'for (const claim of lost) {',
        to: 'for (const claim of []) {',
      },
    ],
  },
  'claims-of-two-servers': {
    without: 'a server that is about to end says for itself that nothing is lost',
    changes: [
      {
        file: 'shared/log/dist/fence.js',
        from: 'this.again = { timer, afterMs };',
        to: 'timer[Symbol.dispose]();',
      },
    ],
  },
  'losses-told-again': {
    without: 'a loss that only a server has told of that is lost itself is told to nobody',
    changes: [
      {
        file: 'shared/log/dist/fence.js',
        from: 'for (const claim of this.contested.values())',
        to: 'for (const claim of [])',
      },
    ],
  },
  signatures: {
    without: 'whoever can write to Redis forges entries',
    changes: [
      {
        file: 'shared/redis/dist/signer.js',
        from: 'return given.length === expected.length && timingSafeEqual(given, expected);',
        to: 'return true;',
      },
    ],
  },
  'rules-versions': {
    without: 'a send is planned by rules that are not those at its position',
    changes: [
      {
        file: 'test/dist/simulate/postgres/functions.js',
        from: 'row.rulesVersion !== appending.rules',
        to: 'false',
      },
    ],
  },
  'rules-versions-of-terms': {
    without: 'what was planned in a history that is lost holds in the next one',
    changes: [
      {
        file: 'test/dist/simulate/postgres/functions.js',
        from: 'return head.term === term ? head.rulesVersion : head.rulesVersion + 1 + hashOf(term);',
        to: 'return head.rulesVersion;',
      },
    ],
  },
  'epochs-of-cursors': {
    without: 'a cursor of an epoch that has ended is served',
    changes: [
      {
        file: 'services/queue/dist/log/unread-log.js',
        from: 'if (queue.epoch !== realm.epoch ||',
        to: 'if (',
      },
      {
        file: 'services/queue/dist/log/unread-log.js',
        from: 'if (queue.epoch !== realm.epoch) {',
        to: 'if (false) {',
      },
    ],
  },
  'proofs-of-history': {
    without: 'a number that a client has acknowledged is taken for the entry that has it now',
    changes: [
      { file: 'services/queue/dist/log/history-proof.js', from: 'if (!queue.position)', to: 'if (true)' },
    ],
  },
  'terms-in-order': {
    without: 'entries of another history are passed on behind those of this one',
    changes: [
      {
        file: 'shared/log/dist/sequencer.js',
        from: 'if (!this.isNext(next)) {',
        to: 'if (false) {',
      },
    ],
  },
  'audiences-before-entries': {
    without: 'a run whose audiences are not loaded yet is overtaken by the next one',
    changes: [
      { file: 'services/queue/dist/log/realms.js', from: 'if (realm.arrivingCount === 0 &&', to: 'if (' },
    ],
  },
  'early-entries': {
    without: 'what is carried while a node reads the tail of a log is forgotten',
    changes: [
      { file: 'shared/log/dist/follower.js', from: 'setImmediate(() => this.onCarried(early));', to: '' },
      { file: 'shared/log/dist/follower.js', from: 'if (head.seq > realm.sequencer.head)', to: 'if (false)' },
    ],
  },
  'early-ephemerals': {
    without: 'an ephemeral event is delivered before the entry behind which it is',
    changes: [
      {
        file: 'services/queue/dist/core/ephemerals.js',
        from: 'return ephemeral.seq <= head;',
        to: 'return true;',
      },
    ],
  },
  restoring: {
    without: 'nobody writes queues back when Redis has lost its data',
    changes: [
      {
        file: 'services/queue/dist/queues/renewals.js',
        from: 'for (const record of await registry.renew(renewed, nodeId))',
        to: 'for (const record of [])',
      },
    ],
  },
  'restoring-what-is-missing': {
    without: 'a node that has just started writes an older record of a queue over a newer one',
    changes: [
      {
        file: 'shared/redis/dist/registry.js',
        from: 'const written = isVouchedFor',
        to: 'const written = true',
      },
    ],
    covered:
      'renew-queue.lua leaves a record of a later term; and by an earlier position of one term, no cursor is refused or served that would not be by a later one of the same history',
  },
  'positions-of-other-terms': {
    without:
      'a node that is behind writes the position that it knows of a queue over the one of a later term',
    changes: [
      {
        file: 'shared/redis/dist/registry.js',
        from: 'this.scripted.renewQueue(key, signed, ttlSeconds, knownTerm, term)',
        to: "this.redis.set(key, signed, 'EX', ttlSeconds).then(() => null)",
      },
    ],
  },
  vouching: {
    without: 'a node serves a queue in a term of which no other node knows',
    changes: [
      {
        file: 'services/queue/dist/queues/renewals.js',
        from: 'return position !== undefined && position.term !== queue.position?.term;',
        to: 'return false;',
      },
    ],
  },
  'local-echoes': {
    without: 'a send whose answer was lost is sent again',
    changes: [
      {
        file: 'test/dist/simulate/postgres/functions.js',
        from: 'if (repeats !== undefined)',
        to: 'if (false)',
      },
    ],
  },
  cursors: {
    without: 'the last event that a client heard is taken for one that it has not heard',
    changes: [
      {
        file: 'services/queue/dist/core/collect-events.js',
        from: 'if (id <= lastEventId ||',
        to: 'if (id < lastEventId ||',
      },
    ],
  },
  'runs-during-a-wait': {
    without: 'what arrives while a poll waits for Postgres is missed',
    changes: [
      {
        file: 'services/queue/dist/http/events-handler.js',
        from: 'const log = loaded && this.deps.unreadLog.afterLoad(loaded, realm, queue, lastEventId);',
        to: `const log = loaded && this.deps.unreadLog.afterLoad(loaded, realm, queue, lastEventId);
        await new Promise((resolve) => setTimeout(resolve, 5));`,
      },
    ],
  },
  registrations: {
    without: 'a registration answers before its queue is saved',
    changes: [
      {
        file: 'services/api/dist/register/register.js',
        from: 'await queues.save(record);',
        to: 'queues.save(record).catch(() => {});',
      },
    ],
  },
};
