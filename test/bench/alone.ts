import { setTimeout as sleep } from 'node:timers/promises';

import * as actions from '@parley/actions';
import sharp from 'sharp';

import type { BenchServers } from './bench-servers.ts';
import type { Bench } from './finding.ts';
import { median, percentile, two } from './numbers.ts';
import { startProgram } from './processes.ts';

const messages = 200;
const inARow = 40;
const apart = 10;
const atOnce = 6;
/** After so many times of what a request takes, nobody rests for it any more, whoever asks for something meanwhile. */
const pauseFactor = 12;
/** By how much a request may take longer because the same caller has just asked. A rest takes three times as long as it. */
const rowMax = 2;
/** How often somebody else asks, where that is wanted. */
const companyMs = 50;

type Ask = () => Promise<unknown>;

async function timed(ask: Ask): Promise<number> {
  const startMs = performance.now();
  await ask();
  return performance.now() - startMs;
}

/** How long somebody waits: with breaks between, without, and for several at once. */
async function waitsOf(ask: Ask) {
  for (let warming = 0; warming < 5; warming += 1) await ask();
  const withBreaks: number[] = [];
  for (let index = 0; index < apart; index += 1) {
    await sleep(pauseFactor * (withBreaks.at(-1) ?? 100));
    withBreaks.push(await timed(ask));
  }
  const withoutBreaks: number[] = [];
  for (let index = 0; index < inARow; index += 1) withoutBreaks.push(await timed(ask));
  const together = await timed(() => Promise.all(Array.from({ length: atOnce }, ask)));
  return {
    withBreaks: two(median(withBreaks)),
    inARow: two(median(withoutBreaks)),
    p95InARow: two(percentile(withoutBreaks, 0.95)),
    rowToBreaks: two(median(withoutBreaks) / median(withBreaks)),
    atOnceToOne: two(together / atOnce / median(withoutBreaks)),
  };
}

/** Somebody who asks for what they like, as a browser does. */
function somebody(servers: BenchServers, port: number, user: { id: number; email: string }) {
  const headers = { Authorization: servers.authorizationOf(user) };
  const ask = async (method: string, path: string, body?: URLSearchParams | FormData): Promise<string> => {
    const url = `http://localhost:${port}/api/v1${path}`;
    const reply = await fetch(url, { method, headers, ...(body && { body }) });
    const text = await reply.text();
    if (!reply.ok) throw new Error(`${method} ${path} answered ${text.slice(0, 300)}`);
    return text;
  };
  const form = (fields: Record<string, string>) => new URLSearchParams(fields);
  const send = (content: string) =>
    ask('POST', '/messages', form({ type: 'direct', to: JSON.stringify([user.id]), content }));
  return { ask, form, send };
}

/** Somebody else, who asks for little and does not stop. */
async function startCompany(servers: BenchServers, port: number): Promise<Disposable> {
  const { engine, actor } = servers;
  const email = 'company@bench.example';
  const person = { email, fullName: 'Company', role: 400 } as const;
  const { user } = await engine.perform(actor.realm.id, actions.users.create, {
    realm: actor.realm,
    ...person,
  });
  const { ask } = somebody(servers, port, { id: user.id, email });
  const timer = setInterval(() => void ask('GET', '/users/me').catch(() => undefined), companyMs);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

/** Returns a picture that a camera could have made. */
async function takePicture(): Promise<Blob> {
  const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const;
  const create = { width: 640, height: 640, channels: 3, background: 'red', noise } as const;
  return new Blob([new Uint8Array(await sharp({ create }).jpeg().toBuffer())], { type: 'image/jpeg' });
}

/** What it costs to be alone: whoever shares the server with nobody has all of it, and waits for no rest. */
export const alone: Bench = async (servers, say, { broken }) => {
  await using program = await startProgram('services/api/dist/main.js', servers.env);
  const me = { id: servers.actor.id, email: 'sender@bench.example' };
  const { ask, form, send } = somebody(servers, program.port, me);
  using company = broken === 'alone' ? await startCompany(servers, program.port) : null;
  for (let index = 0; index < messages; index += 1) await send(`${index} ${'What was said. '.repeat(180)}`);
  const page = `/messages?${form({ anchor: 'newest', num_before: '100', num_after: '0' }).toString()}`;
  const picture = await takePicture();
  const setAvatar = () => {
    const body = new FormData();
    body.set('file', picture, 'me.jpg');
    return ask('POST', '/users/me/avatar', body);
  };
  const formula = `$$${'\\frac{a}{b}+'.repeat(60)}c$$`;
  const asked: [string, Ask][] = [
    ['pages of 100 messages', () => ask('GET', page)],
    ['registrations', () => ask('POST', '/register', form({}))],
    ['sends', () => send('A message.')],
    ['formulas', () => send(formula)],
    ['avatars', setAvatar],
  ];
  const found: [string, Awaited<ReturnType<typeof waitsOf>>][] = [];
  for (const [name, askOnce] of asked) {
    say(`${name} of somebody ${company ? 'beside another' : 'alone'} …`);
    found.push([name, await waitsOf(askOnce)]);
  }
  const most = Math.max(...found.map(([, { rowToBreaks }]) => rowToBreaks));
  return {
    figures: Object.fromEntries(found),
    claim: {
      holds: most <= rowMax,
      result: `a request of somebody alone takes ${most} × as long right after another as after a break, at most`,
    },
    rows: [
      ['Somebody alone, ms', 'after a break  in a row  p95  in a row / after a break  six at once / six'],
      ...found.map(([name, waits]): [string, string] => [`  ${name}`, Object.values(waits).join('  ')]),
    ],
    picture: found.map(([name, { inARow: ms }]): [string, number] => [`alone: ${name}, ms`, ms]),
  };
};
