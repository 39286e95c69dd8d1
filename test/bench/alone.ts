import sharp from 'sharp';

import type { BenchServers } from './bench-servers.ts';
import type { Bench } from './finding.ts';
import { median, percentile, two } from './numbers.ts';
import { startProgram } from './processes.ts';

/** In a row, one after the other. */
const requestsInARow = 100;
const picturesInARow = 20;
const atOnce = 6;
const messages = 200;
/** Of the median, in milliseconds, what 95 of 100 requests of somebody alone may take. A rest takes three times as much. */
const slowestMax = 2;

type Ask = () => Promise<unknown>;

async function timed(ask: Ask): Promise<number> {
  const startMs = performance.now();
  await ask();
  return performance.now() - startMs;
}

/** What somebody waits for who is the only one to ask: one thing after the other, and several at once. */
async function waitsOf(ask: Ask, count: number) {
  for (let warming = 0; warming < 5; warming += 1) await ask();
  const times: number[] = [];
  for (let index = 0; index < count; index += 1) times.push(await timed(ask));
  const together = await timed(() => Promise.all(Array.from({ length: atOnce }, ask)));
  return {
    fastest: two(Math.min(...times)),
    median: two(median(times)),
    p95: two(percentile(times, 0.95)),
    p95ToMedian: two(percentile(times, 0.95) / median(times)),
    atOnceToOne: two(together / atOnce / median(times)),
  };
}

/** Somebody who asks for what they like, as a browser does. */
function somebody(servers: BenchServers, port: number) {
  const { actor } = servers;
  const ask = async (method: string, path: string, body?: URLSearchParams | FormData): Promise<unknown> => {
    const url = `http://localhost:${port}/api/v1${path}`;
    const headers = {
      Authorization: servers.authorizationOf({ id: actor.id, email: 'sender@bench.example' }),
    };
    const reply = await fetch(url, { method, headers, ...(body && { body }) });
    const text = await reply.text();
    if (!reply.ok) throw new Error(`${method} ${path} answered ${text.slice(0, 300)}`);
    return text;
  };
  const form = (fields: Record<string, string>) => new URLSearchParams(fields);
  const send = (content: string) =>
    ask('POST', '/messages', form({ type: 'direct', to: JSON.stringify([actor.id]), content }));
  return { ask, form, send };
}

/** What it costs to be alone: whoever shares the server with nobody has all of it. */
export const alone: Bench = async (servers, say) => {
  await using program = await startProgram('services/api/dist/main.js', servers.env);
  const { ask, form, send } = somebody(servers, program.port);
  for (let index = 0; index < messages; index += 1) await send(`${index} ${'What was said. '.repeat(180)}`);
  const page = `/messages?${form({ anchor: 'newest', num_before: '100', num_after: '0' }).toString()}`;
  const noise = await sharp({
    create: {
      width: 640,
      height: 640,
      channels: 3,
      background: 'red',
      noise: { type: 'gaussian', mean: 128, sigma: 30 },
    },
  })
    .jpeg()
    .toBuffer();
  const picture = () => {
    const body = new FormData();
    body.set('file', new Blob([new Uint8Array(noise)], { type: 'image/jpeg' }), 'me.jpg');
    return body;
  };
  const formula = `$$${'\\frac{a}{b}+'.repeat(60)}c$$`;
  const asked: [string, Ask, number][] = [
    ['pages of 100 messages', () => ask('GET', page), requestsInARow],
    ['registrations', () => ask('POST', '/register', form({})), requestsInARow],
    ['sends', () => send('A message.'), requestsInARow],
    ['formulas', () => send(formula), requestsInARow],
    ['avatars', () => ask('POST', '/users/me/avatar', picture()), picturesInARow],
  ];
  const found: [string, Awaited<ReturnType<typeof waitsOf>>][] = [];
  for (const [name, askOnce, count] of asked) {
    say(`${name} of somebody alone …`);
    found.push([name, await waitsOf(askOnce, count)]);
  }
  const slowest = Math.max(...found.map(([, { p95ToMedian }]) => p95ToMedian));
  return {
    figures: Object.fromEntries(found),
    claim: {
      holds: slowest <= slowestMax,
      result: `95 of 100 requests of somebody alone take ${slowest} × as long as most at most`,
    },
    rows: [
      ['Somebody alone, ms', 'fastest  median  p95  p95 / median  six at once / six'],
      ...found.map(([name, waits]): [string, string] => [`  ${name}`, Object.values(waits).join('  ')]),
    ],
    picture: found.map(([name, { p95 }]): [string, number] => [`alone: ${name}, p95 ms`, p95]),
  };
};
