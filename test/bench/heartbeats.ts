import { sum } from '@parley/kit';
import { type QueueRecord, queueTimes } from '@parley/protocol';

import { gatherCrowd } from './crowd.ts';
import { pollOf, registerQueues } from './fan-out.ts';
import type { Bench } from './finding.ts';
import { two } from './numbers.ts';
import { RawConnection } from './poller.ts';
import { startProgram } from './processes.ts';

/** About as many as the files of one process allow. */
const polls = 18_900;
const atOnce = 500;
/** Two heartbeats of everybody. */
const seconds = 120;
/** What is drawn as one bar. */
const barSeconds = 5;

/**
 * Clients park their polls at one node all at once, and nothing happens: each hears heartbeats and comes back. How many
 * come in the fullest second, beside those that would come if they were spread over their time evenly.
 */
export const heartbeats: Bench = async (servers, say) => {
  say(`gathering ${polls} people …`);
  const crowd = await gatherCrowd(servers, polls);
  await using program = await startProgram('services/queue/dist/main.js', servers.env);
  const heardMs: number[] = [];
  const ofEach = new Map<number, number>();
  type Next = ReturnType<typeof pollOf>;
  const park = (connection: RawConnection, number: number, next: Next, last: Buffer | null): void =>
    connection.ask(next(last), (body) => {
      if (!body.includes('"heartbeat"')) throw new Error(`Heard ${body.toString('latin1')}`);
      heardMs.push(performance.now());
      ofEach.set(number, (ofEach.get(number) ?? 0) + 1);
      park(connection, number, next, body);
    });
  const records: QueueRecord[] = [];
  const connections: RawConnection[] = [];
  for (let first = 0; first < polls; first += atOnce) {
    const batch = await registerQueues(servers, crowd.users.slice(first, first + atOnce));
    records.push(...batch);
    connections.push(...(await Promise.all(batch.map(() => RawConnection.open(program.port)))));
  }
  say(`${polls} polls wait for ${seconds} seconds …`);
  const [startMs, startSeconds] = [performance.now(), program.cpuSeconds()];
  for (const [number, record] of records.entries()) {
    const [user, connection] = [crowd.users[number], connections[number]];
    if (user && connection) park(connection, number, pollOf(servers, user, record), null);
  }
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  const used = (program.cpuSeconds() - startSeconds) / ((performance.now() - startMs) / 1000);
  for (const connection of connections) connection.close();

  const perSecond = Array.from({ length: seconds }, () => 0);
  for (const ms of heardMs) {
    const second = Math.floor((ms - startMs) / 1000);
    perSecond[second] = (perSecond[second] ?? 0) + 1;
  }
  const most = Math.max(...perSecond);
  const even = polls / (queueTimes.heartbeatSpreadMs / 1000);
  const bars = Array.from({ length: seconds / barSeconds }, (_, bar): [string, number] => [
    `heartbeats/s, ${bar * barSeconds} s`,
    sum(perSecond.slice(bar * barSeconds, (bar + 1) * barSeconds)) / barSeconds,
  ]);
  const fewest = Math.min(...records.map((_, number) => ofEach.get(number) ?? 0));
  const figures = {
    polls,
    heartbeats: heardMs.length,
    fewest_of_one_client: fewest,
    evenly_in_a_second: even,
    most_in_a_second: most,
    ratio: two(most / even),
    cpu_percent: two(used * 100),
  };
  return {
    figures,
    claim: {
      holds: fewest > 0 && figures.ratio < 2,
      result: `${figures.ratio} × the even number in the fullest second, ${polls} polls`,
    },
    rows: [
      [`heartbeats of ${polls} polls at one node, parked at once`, figures.heartbeats],
      ['  in the fullest second', most],
      ['  in each, if they came evenly', even],
      ['  ratio (1 = evenly; less is better)', figures.ratio],
      ['  processor time of the node, % of one', figures.cpu_percent],
    ],
    picture: bars,
  };
};
