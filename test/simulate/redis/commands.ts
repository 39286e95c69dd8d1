import type { RedisServer } from './server.ts';
import { isAfter } from './state.ts';

export type Argument = string | number;
/** What a command answers, at once. */
type Carry = (server: RedisServer, args: readonly Argument[], nowMs: number) => unknown;

/** Reads what follows SET: EX seconds, NX, GET. */
function set({ state }: RedisServer, [key, value, ...options]: readonly Argument[], nowMs: number) {
  const name = String(key);
  const before = state.get(name, nowMs);
  const at = options.indexOf('EX');
  const untilMs = at === -1 ? Number.POSITIVE_INFINITY : nowMs + Number(options[at + 1]) * 1000;
  const isRefused = options.includes('NX') && before !== null;
  if (!isRefused) state.strings.set(name, { value: String(value), untilMs });
  if (options.includes('GET')) return before;
  return isRefused ? null : 'OK';
}

/** As scripts/count-queue.lua. */
const countQueue: Carry = ({ state }, [key, now, queueId, endsMs, queuesMax]) => {
  const members = state.members(String(key));
  for (const [member, score] of members) if (score <= Number(now)) members.delete(member);
  if (members.size >= Number(queuesMax)) return Math.min(...members.values());
  members.set(String(queueId), Number(endsMs));
  return 0;
};

/** As scripts/renew-queue.lua. */
const renewQueue: Carry = (server, [key, signed, ttlSeconds, knownTerm, term], nowMs) => {
  const { state } = server;
  const stored = state.get(String(key), nowMs);
  const [, found] = /"position":\{"seq":\d+,"term":"(\w*)"\}/.exec(stored ?? '') ?? [];
  if (found === undefined || found === knownTerm || found === term) {
    set(server, [key ?? '', signed ?? '', 'EX', ttlSeconds ?? 0], nowMs);
    return null;
  }
  const kept = state.strings.get(String(key));
  if (kept) kept.untilMs = nowMs + Number(ttlSeconds) * 1000;
  return stored;
};

/** As scripts/publish-ephemeral.lua. */
const publishEphemeral: Carry = (server, args, nowMs) => {
  const { state } = server;
  const [numberKey, placeKey, channel, head, tail] = args.map(String);
  const [after, ageMs, per, eventsMax] = args.slice(5, 9).map(Number) as [number, number, number, number];
  const epoch = String(args[9]);
  const now = Math.floor(nowMs);
  const newest = Number(state.get(numberKey ?? '', nowMs) ?? 0);
  const [, place, at, placeEpoch] = /^(\d+) (\d+) ?(\S*)$/.exec(state.get(placeKey ?? '', nowMs) ?? '') ?? [];
  const before = placeEpoch === epoch ? Number(place) : null;
  if (before !== null && before > after) return -1;
  const [own, block] =
    before === after
      ? [(newest % per) + 1 + Math.floor(Math.max(0, now - Number(at)) / 40_000), Math.floor(newest / per)]
      : [
          eventsMax + 1 + Math.floor(Math.max(0, ageMs) / 40_000),
          Math.max(Math.floor(newest / per) + 1, Math.floor(now / 1000 / per)),
        ];
  if (own >= per) return 0;
  const number = block * per + own;
  const untilMs = nowMs + 86_400_000;
  state.strings.set(numberKey ?? '', { value: String(number), untilMs });
  state.strings.set(placeKey ?? '', { value: `${after} ${now} ${epoch}`, untilMs });
  server.publish('smessage', channel ?? '', `${head}${number}${tail}`);
  return number;
};

const xadd: Carry = (server, [key, , , minimum, , ...fields], nowMs) => {
  const { state } = server;
  const ms = Math.max(Math.floor(nowMs), state.lastStreamMs);
  state.lastStreamNumber = ms === state.lastStreamMs ? state.lastStreamNumber + 1 : 0;
  state.lastStreamMs = ms;
  const stream = state.stream(String(key));
  const id = `${ms}-${state.lastStreamNumber}`;
  stream.push({ id, fields: fields.map(String) });
  // ~ lets a server keep more than it is told to; this one keeps no more than it has to.
  while (stream[0] && !isAfter(stream[0].id, `${Number(minimum) - 1}-0`)) stream.shift();
  server.wake(String(key));
  return id;
};

/** The newest first. `(` before an id leaves it out. */
const xrevrange: Carry = ({ state }, [key, from, , , count]) => {
  const text = String(from);
  const isIncluded = ({ id }: { id: string }) => {
    if (text === '+') return true;
    return text.startsWith('(') ? isAfter(text.slice(1), id) : !isAfter(id, text);
  };
  return state
    .stream(String(key))
    .filter(isIncluded)
    .slice(-Number(count))
    .reverse()
    .map(({ id, fields }) => [id, fields]);
};

export const commands: Readonly<Record<string, Carry>> = {
  get: ({ state }, [key], nowMs) => state.get(String(key), nowMs),
  set,
  del: ({ state }, keys) => keys.filter((key) => state.strings.delete(String(key))).length,
  exists: ({ state }, keys, nowMs) => keys.filter((key) => state.get(String(key), nowMs) !== null).length,
  expire: ({ state }, [key, seconds], nowMs) => {
    const kept = state.strings.get(String(key));
    if (kept) kept.untilMs = nowMs + Number(seconds) * 1000;
    return kept ? 1 : 0;
  },
  zadd: ({ state }, [key, score, member]) => {
    const members = state.members(String(key));
    const isNew = !members.has(String(member));
    members.set(String(member), Number(score));
    return isNew ? 1 : 0;
  },
  zrem: ({ state }, [key, member]) => (state.members(String(key)).delete(String(member)) ? 1 : 0),
  hsetnx: ({ state }, [key, field, value]) => {
    const hash = state.hash(String(key));
    if (hash.has(String(field))) return 0;
    hash.set(String(field), String(value));
    return 1;
  },
  hmget: ({ state }, [key, ...fields]) =>
    fields.map((field) => state.hash(String(key)).get(String(field)) ?? null),
  hgetall: ({ state }, [key]) => Object.fromEntries(state.hash(String(key))),
  info: ({ runId }) => `# Server\r\nredis_version:7.0.0\r\nrun_id:${runId}\r\n`,
  ping: () => 'PONG',
  publish: (server, [channel, message]) => server.publish('message', String(channel), String(message)),
  xadd,
  xrevrange,
  xlen: ({ state }, [key]) => state.stream(String(key)).length,
  xtrim: ({ state }, [key, , length]) => {
    const stream = state.stream(String(key));
    return stream.splice(0, Math.max(0, stream.length - Number(length))).length;
  },
  memory: ({ state }, [, key]) =>
    state.stream(String(key)).reduce((bytes, { fields }) => bytes + fields.join().length, 100),
  countQueue,
  renewQueue,
  publishEphemeral,
};
