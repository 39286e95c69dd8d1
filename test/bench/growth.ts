import * as actions from '@parley/actions';
import { actorOf } from '@parley/model';

import { encode } from '../support/http.ts';
import { performAdHoc } from '../support/perform-ad-hoc.ts';
import type { BenchServers } from './bench-servers.ts';
import { spentSoFar } from './costs.ts';
import { type Crowd, gatherCrowd } from './crowd.ts';
import { fanOuts, nodeContender } from './fan-out.ts';
import type { Bench, Say } from './finding.ts';
import { two } from './numbers.ts';
import { senderTo } from './plan.ts';
import { RawConnection, getRequest, postRequest } from './poller.ts';
import { type Program, startProgram } from './processes.ts';

const sizes = [10, 100, 1000];
/** Messages are many times as many as anything else. */
const messagesEach = 10;
/** Of each batch the least counts: whatever else the machine does makes none of them cheaper. */
const [rounds, requestsOfBatch] = [3, 20];
const createdAtOnce = 100;
/** How the cost may follow the size: exponents. */
const constant = 0.2;
const linear = 1.1;

/** A realm of its own, in which only one thing is large. */
interface Place {
  home: BenchServers;
  host: string;
  crowd: Crowd;
  /** Ids of its messages. */
  ids: number[];
}

interface Growth {
  dimension: string;
  path: string;
  /** Processor time of the node and Postgres, in µs, one of each size. */
  costs: number[];
  exponent: number;
  bound: number;
}

type RequestOf = (place: Place, number: number) => string;

const as = ({ home, crowd }: Place) => home.authorizationOf(crowd.users[0] ?? { id: 0, email: '' });
const post =
  (path: string, fieldsOf: (place: Place, number: number) => Record<string, unknown>): RequestOf =>
  (place, number) =>
    postRequest(`/api/v1${path}`, as(place), encode(fieldsOf(place, number)), place.host);

const send = post('/messages', ({ crowd }) => ({
  type: 'channel',
  to: crowd.channel,
  topic: 'bench',
  content: 'A message of a usual length, to everyone here.',
}));
const registration = post('/register', () => ({}));
const unread = post('/register', () => ({ fetch_event_types: ['message', 'update_message_flags'] }));
const mark = post('/messages/flags', ({ ids }, number) => ({
  op: 'add',
  flag: 'read',
  // In the order of the ids all marks would be one range.
  messages: [ids[(number * 7) % ids.length]],
}));
const page: RequestOf = (place) => {
  const narrow = [['channel', place.crowd.channel]];
  const fields = encode({ anchor: 'newest', num_before: 20, num_after: 0, narrow });
  return getRequest(`/api/v1/messages?${fields}`, as(place), place.host);
};

/** What each hot path costs with 1, 10 and 100 times as much of one thing, and how the one follows the other. */
export const growth: Bench = async (servers, say, { broken }) => {
  if (broken === 'growth') await breakSends(servers);
  const found: Growth[] = [];
  {
    await using api = await startProgram('services/api/dist/main.js', servers.env);
    const measure = async (
      dimension: string,
      places: Place[],
      paths: Record<string, [RequestOf, number]>,
    ) => {
      for (const [path, [requestOf, bound]] of Object.entries(paths)) {
        say(`${path}, by ${dimension} …`);
        const one = grown(dimension, path, await costsInTurn(servers, api, places, requestOf), bound);
        say(`  ${one.costs.join(', ')} µs: ${one.exponent}`);
        found.push(one);
      }
    };
    const placesOf = async (name: string, found: (size: number) => Promise<Place>) => {
      say(`founding organizations: ${name} …`);
      const places = [];
      for (const size of sizes) places.push(await found(size));
      // Postgres does so by itself, a minute later.
      await servers.sql`analyze`;
      return places;
    };
    const people = await placesOf('people', (size) => foundPlace(servers, `people${size}`, size));
    await measure('people in a channel', people, { 'a send': [send, constant] });
    const channels = await placesOf('channels', async (size) => {
      const place = await foundPlace(servers, `channels${size}`, 10);
      await createChannels(place, size);
      return place;
    });
    await measure('channels of a realm', channels, {
      'a send': [send, constant],
      'a registration': [registration, linear],
    });
    const messages = await placesOf('messages', async (size) => {
      const place = await foundPlace(servers, `messages${size}`, 10);
      await fill(place, size * messagesEach);
      return place;
    });
    await measure('messages of a realm', messages, {
      'a send': [send, constant],
      'a page': [page, constant],
    });
    await measure('unread of a person', messages, {
      'a mark as read': [mark, constant],
      'unread of a registration': [unread, linear],
    });
    found.push(...(await byRealms(servers, api, say)));
  }
  found.push(await byQueues(servers, say));
  return conclusion(found);
};

function conclusion(found: readonly Growth[]): Awaited<ReturnType<Bench>> {
  const above = found.filter(({ exponent, bound }) => exponent > bound);
  return {
    figures: { sizes, growth: found },
    claim: {
      holds: above.length === 0,
      result:
        above.length === 0
          ? `no hot path of ${found.length} grows faster than its bound`
          : above
              .map(
                ({ path, dimension, exponent, bound }) =>
                  `${path} by ${dimension} grows with exponent ${exponent}, above ${bound}`,
              )
              .join(', '),
    },
    rows: [
      ['1, 10 and 100 times as much', 'µs of processor time each  exponent  bound'],
      ...found.map(({ dimension, path, costs, exponent, bound }): [string, string] => [
        `  ${dimension}: ${path}`,
        `${costs.join('  ')}  ${exponent}  ${bound}`,
      ]),
    ],
    picture: [],
  };
}

/** The slope of the cost against the size, both as logarithms: the sizes are evenly spaced there. */
function grown(dimension: string, path: string, costs: number[], bound: number): Growth {
  const decades = Math.log10((sizes.at(-1) ?? 1) / (sizes[0] ?? 1));
  const exponent = two(Math.log10((costs.at(-1) ?? 1) / (costs[0] ?? 1)) / decades);
  return { dimension, path, costs, exponent, bound };
}

/** The same request to each of the places in turn. The first round warms up. */
async function costsInTurn(
  servers: BenchServers,
  api: Program,
  places: readonly Place[],
  requestOf: RequestOf,
): Promise<number[]> {
  const connection = await RawConnection.open(api.port);
  const least = places.map(() => Number.POSITIVE_INFINITY);
  let number = 0;
  for (let round = 0; round <= rounds; round += 1) {
    for (const [index, place] of places.entries()) {
      const before = await spentSoFar(servers, api);
      for (let asked = 0; asked < requestsOfBatch; asked += 1) {
        const reply = (await connection.request(requestOf(place, (number += 1)))).toString('latin1');
        if (!reply.startsWith('{"result":"success"')) throw new Error(reply.slice(0, 300));
      }
      const after = await spentSoFar(servers, api);
      const us = ((after.api - before.api + after.postgres - before.postgres) / requestsOfBatch) * 1e6;
      if (round > 0) least[index] = Math.min(least[index] ?? us, Math.round(us));
    }
  }
  connection.close();
  return least;
}

async function foundPlace(servers: BenchServers, name: string, people: number): Promise<Place> {
  const { engine } = servers;
  const emailDomain = `${name}.example`;
  const host = `${name}.localhost`;
  const founded = await engine.db.transaction((tx) =>
    actions.realms.create(tx, { name, displayName: name, emailDomain }),
  );
  const realm = { ...founded, host, emailDomain, url: `http://${host}` };
  const person = { email: `sender@${emailDomain}`, fullName: 'Sender', role: 400 } as const;
  const { user } = await engine.perform(founded.id, actions.users.create, { realm, ...person });
  const { membersConversationId } = founded;
  const home = { ...servers, actor: actorOf(user, { ...realm, name, url: '', membersConversationId }) };
  const crowd = await gatherCrowd(home, people);
  const place = { home, host, crowd, ids: [] };
  return place;
}

async function createChannels({ home: { engine, actor } }: Place, count: number): Promise<void> {
  for (let first = 0; first < count; first += createdAtOnce) {
    const channels = Array.from({ length: Math.min(createdAtOnce, count - first) }, (_, index) => ({
      name: `channel ${first + index}`,
      description: '',
      color: null,
    }));
    await performAdHoc(engine, actor.realm.id, async (tx) => {
      const creates = { isPrivate: false, sharesHistory: true };
      await actions.channels.subscribe(tx, { actor, channels, principals: [], creates, isStrict: true });
      return { events: [] };
    });
  }
}

/** Sends messages that everybody in the place but their sender has unread. */
async function fill(place: Place, count: number): Promise<void> {
  const { send: append } = await senderTo(place.home, place.crowd.channel);
  for (let first = 0; first < count; first += createdAtOnce) {
    const sent = await Promise.all(Array.from({ length: createdAtOnce }, () => append('A message.')));
    place.ids.push(...sent.flatMap((one) => one?.messageId ?? []));
  }
}

/** What a realm costs while there are more and more others. */
async function byRealms(servers: BenchServers, api: Program, say: Say): Promise<Growth[]> {
  const place = await foundPlace(servers, 'cell', 10);
  await fill(place, createdAtOnce);
  const costs = { sends: [] as number[], pages: [] as number[] };
  let others = 0;
  for (const size of sizes) {
    say(`a send and a page, beside ${size} organizations …`);
    for (; others < size; others += 1) {
      const name = `other${others}`;
      const realm = { name, displayName: name, emailDomain: `${name}.example` };
      await servers.engine.db.transaction((tx) => actions.realms.create(tx, realm));
    }
    costs.sends.push(...(await costsInTurn(servers, api, [place], send)));
    costs.pages.push(...(await costsInTurn(servers, api, [place], page)));
  }
  const dimension = 'realms of a cell';
  return [
    grown(dimension, 'a send', costs.sends, constant),
    grown(dimension, 'a page', costs.pages, constant),
  ];
}

/** What it takes a node to deliver to one queue, by how many queues there are. */
async function byQueues(servers: BenchServers, say: Say): Promise<Growth> {
  say('deliveries, by queues of a node …');
  const nodes: Awaited<ReturnType<typeof nodeContender>>[] = [];
  for (const size of sizes) {
    const crowd = await gatherCrowd(servers, size);
    nodes.push(await nodeContender(servers, crowd));
  }
  const raced = await fanOuts(nodes, rounds);
  await Promise.all(nodes.map((node) => node[Symbol.asyncDispose]()));
  const costs = raced.map(({ cpuMicrosecondsPerDelivery }) => cpuMicrosecondsPerDelivery);
  return grown('queues of a node', 'a delivery', costs, constant);
}

/** Each send looks at every person of its realm, which is what must not be. */
async function breakSends({ sql }: BenchServers): Promise<void> {
  await sql`
    create function bench_look_at_all() returns trigger language plpgsql as $$ begin
      perform count(md5(u.email || n)) from users u, generate_series(1, 50) n where u.realm_id = new.realm_id;
      return null;
    end $$`;
  await sql`
    create trigger bench_look_at_all after insert on messages for each row execute function bench_look_at_all()`;
}
