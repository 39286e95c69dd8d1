import type { PendingEvent } from '@parley/protocol';

import {
  type AppendedRow,
  type MembershipRow,
  type PlainRow,
  type Run,
  appendEvents,
  appendPlain,
  positionIsLost,
  renewEpoch,
  rowAt,
  rulesVersionOf,
} from './functions.ts';
import { type Head, type LogRow, isAddressed } from './state.ts';

/** What a registration reads in one snapshot. */
export interface Snapshot {
  head: Head;
  /** The messages that the account has received, by their ids. */
  known: number[];
  readMs: number;
}

type Row = Record<string, unknown>;
type Carry = (run: Run, parameters: readonly unknown[]) => readonly (Row | AppendedRow)[];

/** Reads an array as Postgres writes one, of texts, numbers and nulls. */
function readArray(text: string): (string | null)[] {
  const elements: (string | null)[] = [];
  for (let at = 1; at < text.length - 1;) {
    if (text[at] === '"') {
      let element = '';
      for (at += 1; text[at] !== '"'; at += 1) {
        if (text[at] === '\\') at += 1;
        element += text[at];
      }
      elements.push(element);
      at += 2;
    } else {
      const comma = text.indexOf(',', at);
      const end = comma === -1 ? text.length - 1 : comma;
      const element = text.slice(at, end);
      elements.push(element === 'null' ? null : element);
      at = end + 1;
    }
  }
  return elements;
}

const numberOrNull = (text: string | null | undefined) =>
  text === null || text === undefined ? null : Number(text);

function readPlainRows(parameters: readonly unknown[]): PlainRow[] {
  const arrayAt = (index: number) => readArray(String(parameters[index]));
  const [rules, conversations, channels] = [arrayAt(1), arrayAt(2), arrayAt(3)];
  const [senders, queues, locals, audiences] = [arrayAt(5), arrayAt(15), arrayAt(16), arrayAt(17)];
  const events = String(parameters[18]).split('\n');
  return events.map((event, index) => ({
    rulesVersion: Number(rules[index]),
    conversationId: Number(conversations[index]),
    channelId: numberOrNull(channels[index]),
    senderId: Number(senders[index]),
    queueId: queues[index] ?? null,
    localId: locals[index] ?? null,
    audience: audiences[index] ?? '',
    event,
  }));
}

/** What readLog asks for: entries after a number, in order, of which so many bytes are taken but at least one. */
function readLogPage({ state }: Run, [realmId, afterSeq, entriesMax, bytesMax]: readonly unknown[]): Row[] {
  const found = state
    .kept(Number(realmId))
    .filter(({ seq }) => seq > Number(afterSeq))
    .slice(0, Number(entriesMax));
  const page: Row[] = [];
  let bytes = 0;
  for (const row of found) {
    if (page.length > 0 && bytes + row.bytes > Number(bytesMax)) break;
    bytes += row.bytes;
    page.push({ entry: JSON.parse(row.text) as unknown, found: found.length });
  }
  return page;
}

function readTailStart({ state }: Run, [realmId, after, until, bytesMax]: readonly unknown[]): Row[] {
  let first: number | null = null;
  let bytes = 0;
  for (const row of state.kept(Number(realmId)).toReversed()) {
    if (row.seq <= Number(after) || row.seq > Number(until)) continue;
    bytes += row.bytes;
    if (bytes <= Number(bytesMax)) first = row.seq;
  }
  return [{ first }];
}

const previousTermOf = ({ entry, term }: LogRow) => entry.previousTerm ?? term;

/** The statements of the delivery path, each by what its text has and no other has. */
const statements: readonly (readonly [part: string, carry: Carry])[] = [
  [
    'seq, term from realm_heads where realm_id = any(',
    ({ state }, [ids]) =>
      (ids as number[]).flatMap((id) => {
        const head = state.heads.get(id);
        return head ? [{ realmId: id, epoch: head.epoch, seq: head.seq, term: head.term }] : [];
      }),
  ],
  ['select entry, found from (', readLogPage],
  ['select min(seq)::float8 as first from (', readTailStart],
  [
    'left join event_log l on l.realm_id = h.realm_id and l.seq = h.seq',
    ({ state, nowMs }, [realmId]) => {
      const head = state.heads.get(Number(realmId));
      if (!head) return [];
      const row = rowAt(state, head.realmId, head.seq);
      return [{ seq: head.seq, epoch: head.epoch, ageMs: row ? nowMs - row.appendedMs : null }];
    },
  ],
  [
    'then h.term else coalesce(',
    ({ state }, [seq, realmId]) => {
      const head = state.heads.get(Number(realmId));
      if (!head) return [];
      if (head.seq === seq) return [{ term: head.term }];
      const own = rowAt(state, head.realmId, Number(seq));
      const next = rowAt(state, head.realmId, Number(seq) + 1);
      return [{ term: own ? own.term : next ? previousTermOf(next) : null }];
    },
  ],
  [
    'from users u join realms r on r.id = u.realm_id',
    ({ state }, [ids]) =>
      (ids as number[]).flatMap((id) => {
        const user = state.users.get(id);
        if (!user) return [];
        const active = { is_active: true, realm_is_active: true, sessions: [] };
        return [
          { id, email: user.email, key_generation: 0, role: 400, realm: `realm${user.realmId}`, ...active },
        ];
      }),
  ],
  [
    'joined, departed from audiences where id = any(',
    ({ state }, [ids]) =>
      (ids as number[]).flatMap((id) => {
        const members = state.audiences.get(id);
        return members ? [{ id, members, baseId: null, joined: null, departed: null }] : [];
      }),
  ],
  [
    'select * from simulated_change(',
    (run, [realmId, conversation, members, events]) => {
      const { state } = run;
      state.lastAudienceId += 1;
      state.audiences.set(state.lastAudienceId, members as Uint8Array);
      const change = { conversation: Number(conversation), audience: state.lastAudienceId };
      return appendEvents(run, Number(realmId), JSON.parse(String(events)) as PendingEvent[], [change], true);
    },
  ],
  [
    'select * from append_plain_messages(',
    (run, parameters) => appendPlain(run, Number(parameters[0]), readPlainRows(parameters)),
  ],
  [
    'select * from append_events(',
    (run, [realmId, events, changes, keepsRules = true]) =>
      appendEvents(
        run,
        Number(realmId),
        JSON.parse(String(events)) as PendingEvent[],
        JSON.parse(String(changes)) as MembershipRow[],
        keepsRules === true,
      ),
  ],
  [
    'where position_is_lost(',
    (run, [realmIds, epochs, seqs, terms, ages]) =>
      (realmIds as number[])
        .map((realmId, index) => ({
          realmId,
          epoch: (epochs as string[])[index] ?? '',
          seq: (seqs as number[])[index] ?? 0,
          term: (terms as string[])[index] ?? '',
          ageMs: (ages as (number | null)[])[index] ?? null,
        }))
        .filter((claim) => positionIsLost(run, claim))
        .map((claim) => ({ ...claim })),
  ],
  [
    'select renew_epoch(',
    (run, [realmId, epoch, seq, term, age]) => {
      const ageMs = age === null ? null : Number(age);
      const claim = {
        realmId: Number(realmId),
        epoch: String(epoch),
        seq: Number(seq),
        term: String(term),
        ageMs,
      };
      return [{ isRenewed: renewEpoch(run, claim) }];
    },
  ],
  [
    'simulated_ban(h) as banned from realm_heads',
    (run, [realmId]) => {
      const version = rulesVersionOf(run, run.state.head(Number(realmId)));
      return [{ version, banned: run.state.banned.get(Number(realmId)) ?? null }];
    },
  ],
  [
    'select simulated_snapshot(',
    ({ state, nowMs }, [realmId, userId]) => {
      const log = state.logs.get(Number(realmId)) ?? [];
      const known = log.flatMap((row) =>
        row.message && isAddressed(row, Number(userId)) ? row.message.id : [],
      );
      return [{ head: state.head(Number(realmId)), known, readMs: nowMs }];
    },
  ],
  [
    'from pg_postmaster_start_time())::text as "startedAt"',
    ({ startedUs }) => [{ startedAt: String(startedUs / 1_000_000) }],
  ],
];

const known = new WeakMap<TemplateStringsArray, Carry>();

/** Returns what a statement does. One that nobody has told the simulation of is an error. */
export function findStatement(strings: TemplateStringsArray): Carry {
  const remembered = known.get(strings);
  if (remembered) return remembered;
  const text = strings.join('?').replaceAll(/\s+/g, ' ');
  const found = statements.find(([part]) => text.includes(part));
  if (!found) throw new Error(`The simulated Postgres does not know: ${text}`);
  known.set(strings, found[1]);
  return found[1];
}
