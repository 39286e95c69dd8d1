import { readFileSync } from 'node:fs';

/** A change that no test notices: the code, what it becomes, and why that is no fault or cannot be told. */
type Survivor = readonly [code: string, becomes: string, reason: string];

const slower = 'the same, slower';
const unreachable = 'a case that the types want and that does not occur';
const memory = 'the same, with more memory or copies';
const otherCase = 'either case makes one key of an address';
const ownName = 'the empty name is no other limiter’s';
const wholeInTime = 'told only by more than 32 MiB that arrive whole within five seconds';
const logLine = 'what a line of the log says beside its level';
const setSame = 'a set has it once, and lacks what was never added';
const waitEnds = 'the pause between two attempts is shorter';
const someMs = 'a wait that is some milliseconds shorter or longer';
const inOrder = 'Postgres gives them in an order that is the same for ids of one length';
const lockOrder =
  'a lock taken in order, so that two changes at once wait for each other instead of being run again';
const heldUp = 'told only by an answer that is read between the timer and its check';
const atStart = 'done once, before a test begins';
const streamEnds = 'the connection is closed already, and nothing more is passed on';
const neverRead = 'a start value that nothing reads';

/**
 * The survivors that are accepted, by file. They stand here and not beside the lines, because they name one change each,
 * where a comment could silence only all changes of a kind on its line, and whoever reads the product does not need them.
 */
export const survivors: Readonly<Record<string, readonly Survivor[]>> = {
  'services/api/src/auth/authenticate.ts': [
    ['`${realm.id}:${apiKey}`', '``', slower],
    ['`${realm.id}:${email.toLowerCase()}`', '``', slower],
    ['email.toLowerCase()', 'email.toUpperCase()', otherCase],
    [
      '(realm: Realm, { email }: BasicCredentials) => `${realm.id}:${email.toLowerCase(',
      '() => undefined',
      slower,
    ],
  ],
  'services/api/src/auth/key-guard.ts': [
    ["'wrong-key'", '""', ownName],
    ['email.toLowerCase()', 'email.toUpperCase()', otherCase],
    ['true', 'false', 'only whether there is a value is read'],
  ],
  'services/api/src/auth/login-limiter.ts': [
    ["'login'", '""', ownName],
    ["'login-address'", '""', ownName],
    ['username.toLowerCase()', 'username.toUpperCase()', otherCase],
  ],
  'shared/log/src/append.ts': [
    [
      'messages.every(isPlain)',
      'messages.some(isPlain)',
      'those that are appended together are all plain, or none is',
    ],
  ],
  'shared/log/src/audiences.ts': [
    ['missing.length === 0', 'false', slower],
    ['middleId < userId', 'middleId <= userId', 'equal ones were told apart before'],
  ],
  'shared/log/src/append-result.ts': [
    ["'A message was sent before.'", '""', 'an error that is caught where it is thrown'],
    ['events.length === 0 && memberships.length === 0 && !changesRules', 'false', slower],
  ],
  'shared/log/src/ephemeral.ts': [
    ["'an ephemeral event was not published'", '""', logLine],
    ["redis.status === 'ready'", 'true', 'the command fails at once, and is 0 as well'],
  ],
  'shared/log/src/credentials.ts': [['row.sessions.length === 0', 'false', memory]],
  'shared/log/src/read-log.ts': [['tail?.first', 'tail.first', unreachable]],
  'shared/log/src/send.ts': [['appended.messageId === null', 'false', unreachable]],
  'shared/log/src/gather.ts': [
    ['appends === 0', 'false', memory],
    ["answer?.outcome === 'written'", 'true', 'no other is asked for its trace'],
    ['answer?.outcome', 'answer.outcome', unreachable],
    ['answer', 'true', unreachable],
    ["'An append returned fewer rows than it was given.'", '""', unreachable],
    ['only?.reject', 'only.reject', unreachable],
    [
      'first && formOf(next.item) !== formOf(first.item)',
      'formOf(next.item) !== formOf(first.item)',
      unreachable,
    ],
  ],
  'shared/log/src/follower.ts': [
    ['holeMs + Math.random() * holeSpreadMs', 'holeMs - Math.random() * holeSpreadMs', someMs],
    ['Math.random() * holeSpreadMs', 'Math.random() / holeSpreadMs', someMs],
    ['4 * 1024 * 1024', '4 * 1024 / 1024', slower],
    ['4 * 1024', '4 / 1024', slower],
    ['realm.earlyBytes <= earlyBytesMax', 'realm.earlyBytes < earlyBytesMax', memory],
    ['run.signed.length + runBytes', 'run.signed.length - runBytes', memory],
    [
      '{ isUp: false, done: Promise.resolve() }',
      '{}',
      'what is missing is not up, or is set before it is read',
    ],
    ['failures > 0', 'true', someMs],
    ['failures > 0', 'false', waitEnds],
    ['failures > 0', 'failures >= 0', someMs],
    ['failures > 0', 'failures <= 0', someMs],
    [
      'wait + backoffMs(failures, { firstMs: 100, maxMs: 2000 })',
      'wait - backoffMs(failures, { firstMs: 100, maxMs: 2000 })',
      waitEnds,
    ],
    ['{ firstMs: 100, maxMs: 2000 }', '{}', waitEnds],
    ["''", '"Stryker was here!"', neverRead],
    ['[]', '["Stryker was here"]', 'it belongs to no realm, and is passed over'],
    ['realm.sequencer?.head', 'realm.sequencer.head', unreachable],
    ['({ done }) => done', '() => undefined', streamEnds],
  ],
  'shared/log/src/read-partition.ts': [
    ['{ once: true }', '{}', memory],
    ['true', 'false', memory],
    ["'abort'", '""', 'a listener that stays on a signal that has aborted'],
    ['entries.at(-1)?.[0]', 'entries.at(-1)[0]', unreachable],
    ['signal.aborted', 'false', 'told only by a line of the log while it ends'],
    ['{ firstMs: 20, maxMs: 500 }', '{}', waitEnds],
    ['failures += 1', 'failures -= 1', waitEnds],
    ["''", '"Stryker was here!"', unreachable],
  ],
  'shared/log/src/publish.ts': [
    ["'publishing failed; nodes read Postgres'", '""', logLine],
    ['tracing?.published', 'tracing.published', unreachable],
  ],
  'shared/log/src/write-audiences.ts': [
    ['!audience', 'false', unreachable],
    ["'An insert returned no row.'", '""', unreachable],
  ],
  'shared/log/src/database-watch.ts': [
    ["'Postgres does not answer.'", '""', logLine],
    ['isHanging', 'false', 'told only by a connection that is lost while Postgres hangs'],
    ['!isSettled', 'true', heldUp],
    ['true', 'false', heldUp],
    ['() => underway.delete(reject)', '() => undefined', memory],
    ["'parley_database_up'", '""', atStart],
    ["'Whether Postgres answered the last time it was asked'", '""', atStart],
    ["'parley_database_hangs_total'", '""', atStart],
    ["'How often Postgres fell silent'", '""', atStart],
    ['{ timeout: 1 }', '{}', 'ends when what is asked is answered'],
  ],
  'services/queue/src/core/ephemerals.ts': [
    ['[]', '["Stryker was here"]', unreachable],
    ['ofUser && ofUser.length > 1', 'true', memory],
    ['ofUser && ofUser.length > 1', 'ofUser || ofUser.length > 1', memory],
    ['ofUser.length > 1', 'true', memory],
    ['ofUser.length > 1', 'ofUser.length >= 1', memory],
    ['early.length === 0', 'false', slower],
    ['kept.length === 0', 'false', slower],
  ],
  'services/queue/src/core/matches-queue.ts': [['narrow.length === 0', 'false', slower]],
  'services/queue/src/core/parked.ts': [
    ['true', 'false', slower],
    ['!realm', 'false', unreachable],
    ['realms.get(realmId)?.open', 'realms.get(realmId).open', unreachable],
    ['realm.byUser.size === 0', 'false', memory],
    ['poll.dueMs < slot.dueMs', 'poll.dueMs <= slot.dueMs', slower],
    ['receivesAllPublic === slot.receivesAllPublic', 'false', setSame],
    ['[]', '["Stryker was here"]', unreachable],
    ['sets.size(id) < byUser.size', 'sets.size(id) <= byUser.size', 'of two equal sets either may be walked'],
  ],
  'services/queue/src/core/polls.ts': [
    ['!poll.batch', 'true', 'a poll that is answered twice is answered once: the second finds it gone'],
    ['poll.batch ?? nothing', 'poll.batch && nothing', unreachable],
    ['id > poll.lastEventId', 'id >= poll.lastEventId', 'no client has the id of an event that comes'],
    ['!slot?.isKept', 'true', slower],
    ['unread.length === 0', 'false', slower],
    ['run.length === 1', 'false', slower],
    ['only', 'false', slower],
  ],
  'services/queue/src/core/queue.ts': [
    ['[]', '["Stryker was here"]', neverRead],
    ['interned !== undefined', 'false', memory],
    ['texts.size >= textsMax', 'true', memory],
    ['texts.size >= textsMax', 'false', memory],
    ['texts.size >= textsMax', 'texts.size > textsMax', memory],
    ['texts.size >= textsMax', 'texts.size < textsMax', memory],
  ],
  'services/queue/src/core/ready-entry.ts': [['family?.type', 'family.type', unreachable]],
  'services/queue/src/core/ring.ts': [
    ['oldest?.size', 'oldest.size', unreachable],
    ['oldest', 'true', unreachable],
    ['first > 64 && first > kept.length / 2', 'true', memory],
    ['first > 64 && first > kept.length / 2', 'false', memory],
    ['first > 64 && first > kept.length / 2', 'first > 64 || first > kept.length / 2', memory],
    ['first > 64', 'true', memory],
    ['first > 64', 'first >= 64', memory],
    ['first > 64', 'first <= 64', memory],
    ['first > kept.length / 2', 'true', memory],
    ['first > kept.length / 2', 'first >= kept.length / 2', memory],
    ['first > kept.length / 2', 'first <= kept.length / 2', memory],
    ['{ kept = kept.slice(first); first = 0; }', '{}', memory],
    ['kept.length / 2', 'kept.length * 2', memory],
  ],
  'services/queue/src/core/serialise.ts': [
    ['[]', '["Stryker was here"]', unreachable],
    ['entry.family?.forClient', 'entry.family.forClient', unreachable],
    ['entry.family?.also', 'entry.family.also', unreachable],
    ['family?.also', 'family.also', unreachable],
    ['family?.forQueue', 'family.forQueue', unreachable],
    ["' '", '""', 'no two lists of types are the same text without it'],
    ['fields === lastFields', 'false', slower],
    ['[fields, text]', '[]', slower],
    ["''", '"Stryker was here!"', neverRead],
  ],
  'services/queue/src/core/timer-wheel.ts': [
    ['Math.max(turned, reached)', 'Math.min(turned, reached)', slower],
  ],
  'services/queue/src/core/wire-text.ts': [['bytes === text.length', 'false', slower]],
  'services/queue/src/log/load-audiences.ts': [
    ['failures += 1', 'failures -= 1', waitEnds],
    ['{ firstMs: 50, maxMs: 1000 }', '{}', waitEnds],
  ],
  'services/queue/src/log/old-log.ts': [
    ['pages.size > limits.pages', 'pages.size >= limits.pages', slower],
    ['pages.get(key) === page', 'true', slower],
    ['({ isFinal }) => isFinal || forget()', '() => undefined', slower],
    ['isFinal || forget()', 'true', slower],
    ['isFinal || forget()', 'false', slower],
  ],
  'services/queue/src/log/realms.ts': [
    ['listener?.onRun', 'listener.onRun', unreachable],
    ['listener?.onLost', 'listener.onLost', unreachable],
  ],
  'services/queue/src/log/unread-log.ts': [
    ['requiredHead(cursor) > realm.ring.head', 'requiredHead(cursor) >= realm.ring.head', slower],
    ['page.at(-1)?.seq', 'page.at(-1).seq', unreachable],
  ],
  'services/queue/src/queues/credentials-store.ts': [
    [
      '(revocations.get(userId) ?? 0) + 1',
      '(revocations.get(userId) ?? 0) - 1',
      'counted down, no count comes twice either',
    ],
  ],
  'services/queue/src/queues/queues.ts': [
    ['{ err: error }', '{}', logLine],
    ["'cannot expire queues'", '""', logLine],
    [
      "(error: unknown) => logger.debug({ err: error }, 'cannot expire queues')",
      '() => undefined',
      'a line of the log at debug',
    ],
    ["'redis lost its data; restoring the queues'", '""', logLine],
    ['{ queues: queues.size }', '{}', logLine],
  ],
  'services/queue/src/queues/renewals.ts': [
    ['true', 'false', setSame],
    ['batch.length === 0', 'false', slower],
    ['{ err: error, queues: batch.length }', '{}', logLine],
    ["'cannot renew queues; trying again'", '""', logLine],
  ],
  'shared/http/src/session.ts': [
    ["''", '"Stryker was here!"', 'no token either'],
    ['[]', '["Stryker was here"]', 'only the second part is read'],
    ['token === undefined', 'false', 'the types want it: without a token there is no user'],
  ],
  'shared/http/src/api-key.ts': [["'0'", '""', unreachable]],
  'shared/http/src/client-address.ts': [
    ["forwardedFor?.split(',').at(-1)?.trim", "forwardedFor?.split(',').at(-1).trim", unreachable],
    ["':'", '""', 'what has neither dot nor colon is one part'],
  ],
  'shared/http/src/reply.ts': [["''", '"Stryker was here!"', 'no code has that name']],
  'shared/http/src/request-body.ts': [
    ['req.complete', 'false', slower],
    ['{ req.resume(); return true; }', '{}', slower],
    ['bytes += chunk.length', 'bytes -= chunk.length', wholeInTime],
    ['bytes <= drainLimits.bytesMax', 'bytes < drainLimits.bytesMax', wholeInTime],
    ['bytes <= drainLimits.bytesMax', 'true', wholeInTime],
    ["'error'", '""', 'a close comes as well'],
    ["'close'", '""', 'an error comes as well; and a promise is settled once'],
    ["'end'", '""', 'a promise is settled once'],
  ],
  'shared/http/src/request-head.ts': [
    ["!url.includes('%')", 'false', slower],
    ["'%'", '""', slower],
  ],
  'shared/model/src/access/attachments.ts': [
    [
      'reader.realm.id !== file.realmId',
      'false',
      'nobody of another realm owns the file, received a message with it or finds its channel',
    ],
    ['channel !== undefined', 'true', unreachable],
  ],
  'shared/model/src/access/channel-audiences.ts': [
    ['{ const { users } = tables; const groupIds = settings.flatMap(groupIdsOf).flatMa', '{}', slower],
    ['systemGroups.filter(({ name }) => names.includes(name))', 'systemGroups', slower],
    [
      'Math.min(Math.max(roles.administrator, ...rolesMax), roles.member)',
      'Math.max(Math.max(roles.administrator, ...rolesMax), roles.member)',
      slower,
    ],
  ],
  'shared/model/src/access/channels.ts': [
    ['names.length === 0', 'false', slower],
    ['which.length === 0', 'false', slower],
    ["which.filter((one) => typeof one === 'number')", 'which', 'a text is no id'],
    ["typeof one === 'number'", 'true', 'a text is no id'],
    ["which.filter((one) => typeof one === 'string')", 'which', 'a number is found by id alone'],
    ["typeof one === 'string'", 'true', 'a number is found by id alone'],
  ],
  'shared/model/src/access/message-audiences.ts': [
    ['[]', '["Stryker was here"]', unreachable],
    ['ids.length === 0', 'false', slower],
  ],
  'shared/model/src/access/messages.ts': [
    ['!channel || !topic', 'false', unreachable],
    ['!channel || !topic', '!channel && !topic', unreachable],
    ['`Message ${id} is in a channel or topic that does not exist.`', '``', unreachable],
  ],
  'shared/model/src/access/user-audiences.ts': [
    ['{ among: [id] }', '{}', slower],
    ['accessibleIds.get(guest)?.has', 'accessibleIds.get(guest).has', unreachable],
  ],
  'shared/model/src/access/users.ts': [
    ['guests.length === 0', 'false', slower],
    ['accessibleIds.get(guest)?.add', 'accessibleIds.get(guest).add', unreachable],
    ['ids.length === 0', 'false', slower],
    ['{ among: ids }', '{}', slower],
    ['accessibleIds?.has', 'accessibleIds.has', unreachable],
    ['{ among: [user.id] }', '{}', slower],
    ['accessibleIds.get(id)?.has', 'accessibleIds.get(id).has', unreachable],
  ],
  'shared/model/src/permissions/group-setting.ts': [
    ['only !== undefined', 'true', unreachable],
    ['ids.every(isId)', 'ids.some(isId)', 'the parameter’s schema refuses the others'],
    ['[]', '["Stryker was here"]', 'no id is equal to it'],
  ],
  'shared/model/src/permissions/rules.ts': [
    ['-1', '+1', 'told only by a realm of version 1 that no process has cached'],
    ['!row', 'false', unreachable],
    ['!row.content', 'false', unreachable],
    ['id === undefined', 'false', unreachable],
    ['`Realm ${realmId} does not exist.`', '``', unreachable],
    ['`The rules of realm ${realmId} were read without their content.`', '``', unreachable],
    ['`Realm ${realmId} lacks the group ${name}.`', '``', unreachable],
    ['rules.version >= (cache.get(realmId)?.version ?? 0)', 'true', slower],
    [
      'rules.version >= (cache.get(realmId)?.version ?? 0)',
      'rules.version > (cache.get(realmId)?.version ?? 0)',
      slower,
    ],
  ],
  'shared/model/src/permissions/system-groups.ts': [['group !== undefined', 'true', unreachable]],
  'shared/actions/src/messages/flags/change.ts': [
    ['true', 'false', 'the rules get a version that nobody waited for'],
    ['{ await tx.execute(sql` select from conversation_members c where c.realm_id = ${', '{}', lockOrder],
    ['` select from conversation_members c where c.realm_id = ${actor.realm.id} and c.', '``', lockOrder],
    ['[]', '["Stryker was here"]', unreachable],
    ["''", '"Stryker was here!"', unreachable],
    ['` select from conversation_members where realm_id = ${actor.realm.id} and user_i', '``', lockOrder],
    [
      '` update conversation_members c set read = c.read + c.received * int8multirange(',
      '``',
      'the append does the same under the head lock; done before, it makes that short',
    ],
  ],
  'shared/model/src/messages/unread.ts': [
    ['[]', '["Stryker was here"]', unreachable],
    ["''", '"Stryker was here!"', unreachable],
    ['-1', '+1', inOrder],
    [
      'a.topic.toLowerCase() < b.topic.toLowerCase()',
      'a.topic.toLowerCase() <= b.topic.toLowerCase()',
      'no two topics of a channel have one name',
    ],
    [
      'people .filter((conversation) => conversation.people.length > 2) .map(({ people:',
      'people.filter(conversation => conversation.people.length > 2).map(({ people: ids',
      inOrder,
    ],
    ['a.user_ids_string < b.user_ids_string', 'false', inOrder],
    ['(a, b) => (a.user_ids_string < b.user_ids_string ? -1 : 1)', '() => undefined', inOrder],
    [
      'a.user_ids_string < b.user_ids_string',
      'a.user_ids_string <= b.user_ids_string',
      'no two conversations are of the same people',
    ],
  ],
};

/** Survivors of these files whose code is there no longer, each in a line. */
export function staleSurvivors(files: readonly string[]): string[] {
  return files.flatMap((file) => {
    const text = readFileSync(file, 'utf8').replaceAll(/\s+/g, ' ');
    const stale = (survivors[file] ?? []).filter(([code]) => !text.includes(code.trim()));
    return stale.map(([code]) => `${file}: ${code}`);
  });
}
