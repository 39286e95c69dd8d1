import { randomBytes } from 'node:crypto';

import sharp from 'sharp';

import { crowdHost } from '../crowd.ts';
import { frequentWords } from '../history.ts';
import { type Place, type Request, ask } from './requests.ts';

/** Who attacks, where, and an ordinary member. */
export interface People {
  guest: { authorization: string };
  /** The name of a channel that the guest is in. */
  channel: string;
  victim: { email: string };
  /** Ten guests more. */
  searchers: { authorization: string }[];
}

export const searchersMax = 10;

export interface Attack {
  name: string;
  about: string;
  /** Makes what the requests carry, before the time begins. */
  prepare: (people: People) => Promise<(number: number) => Request>;
}

const toChannel = ({ guest, channel }: People, content: string): Request => ({
  as: guest,
  path: '/api/v1/messages',
  fields: { type: 'channel', to: channel, topic: 'abuse', content },
});

const growing = String.raw`$$\def\a#1{\a{#1${'x'.repeat(121)}}}\a{}$$`;
const slow = [
  growing,
  String.raw`$$\newcommand{\a}[1]{#1#1}\a{\a{\a{\a{\a{\a{\a{x}}}}}}}$$`.repeat(20),
  '$$\\int_a^b x_1^2 \\frac{a}{b}$$ '.repeat(300),
  `\`\`\`php\n${'<?php "'.repeat(1200)}\n\`\`\``,
  `${'> '.repeat(400)}${'* a\n'.repeat(2000)}`,
].map((text) => text.slice(0, 10_000));
/** The HTML of each is some 200 kB. */
const wide = '$$\\int_a^b x_1^2 \\frac{a}{b}$$ '.repeat(60);
const stranger = { authorization: `Basic ${Buffer.from('nobody@load.example:wrong').toString('base64')}` };

/** Each is what one guest, or somebody without an account, can ask for, as fast as the server lets them. */
export const attacks: readonly Attack[] = [
  {
    name: 'formulas',
    about: 'messages that take long to render',
    prepare: async (people) => {
      return (number) => toChannel(people, slow[number % slow.length] ?? growing);
    },
  },
  {
    name: 'long-html',
    about: 'messages whose HTML is long, and pages of them',
    prepare: async (people) => {
      const page = { anchor: 'newest', num_before: 5000, num_after: 0 };
      return (number) =>
        number % 4 === 0
          ? toChannel(people, wide)
          : { as: people.guest, method: 'GET', path: '/api/v1/messages', fields: page };
    },
  },
  {
    name: 'bodies',
    about: 'long bodies, many parameters and nested JSON, without an account',
    prepare: async () => {
      const many = Buffer.from('a&'.repeat(6_000_000));
      const nested = Buffer.from(`to=${'['.repeat(500_000)}&type=direct&content=x`);
      const type = 'application/x-www-form-urlencoded';
      return (number) => ({
        as: null,
        path: number % 2 === 0 ? '/api/v1/fetch_api_key' : '/api/v1/register',
        body: { type, content: number % 2 === 0 ? many : nested },
      });
    },
  },
  {
    name: 'refusals',
    about: 'sends of 300 kB with wrong credentials',
    prepare: async () => {
      const content = Buffer.from(`type=direct&to=[1]&content=${'x'.repeat(300_000)}`);
      const body = { type: 'application/x-www-form-urlencoded', content };
      return () => ({ as: stranger, path: '/api/v1/messages', body });
    },
  },
  {
    name: 'searches',
    about: 'narrows of a hundred negated searches of a hundred words',
    prepare: async ({ guest }) => {
      const operand = Array.from({ length: 100 }, (_, word) => `word${word}`).join(' ');
      const narrow = Array.from({ length: 100 }, () => ({ operator: 'search', operand, negated: true }));
      const fields = { anchor: 'newest', num_before: 100, num_after: 0, narrow };
      return (number) => ({
        as: guest,
        method: 'GET',
        path: '/api/v1/messages',
        // A long query is cut off by the server before it is read, a shorter one is looked at.
        fields: number % 2 === 0 ? fields : { ...fields, narrow: narrow.slice(0, 3) },
      });
    },
  },
  {
    name: 'frequent-words',
    about: 'ten people who search all the time, for what nearly every message has',
    prepare: async ({ searchers, channel }) => {
      const places = [
        ['channel', channel],
        ['channels', 'public'],
      ];
      return (number) => ({
        as: searchers[number % searchers.length] ?? null,
        method: 'GET',
        path: '/api/v1/messages',
        fields: {
          anchor: number % 3 === 0 ? 'oldest' : 'newest',
          num_before: number % 3 === 0 ? 0 : 100,
          num_after: number % 3 === 0 ? 100 : 0,
          narrow: [places[number % 2], ['search', frequentWords[number % frequentWords.length]]],
        },
      });
    },
  },
  {
    name: 'queues',
    about: 'queues with filters as long as they may be, and longer',
    prepare: async ({ guest }) => {
      const narrow = Array.from({ length: 90 }, (_, n) => ['topic', `${n}`.padEnd(80, 'x')]);
      const long = Array.from({ length: 100 }, () => ['topic', 'x'.repeat(9000)]);
      return (number) => ({
        as: guest,
        path: '/api/v1/register',
        fields: {
          fetch_event_types: [],
          narrow: number % 2 === 0 ? narrow : long,
          queue_lifespan_secs: 604_800,
        },
      });
    },
  },
  {
    name: 'pictures',
    about: 'small files of very many pixels, as uploads and as avatars',
    prepare: async ({ guest }) => {
      const draw = (side: number) =>
        sharp({ create: { width: side, height: side, channels: 4, background: '#123' } });
      const pictures = await Promise.all([
        draw(9400).png().toBuffer(),
        draw(9400).png({ progressive: true }).toBuffer(),
        draw(4800).webp().toBuffer(),
        draw(6300).png().toBuffer(),
      ]);
      return (number) => ({
        as: guest,
        path: number % 2 === 0 ? '/api/v1/users/me/avatar' : '/api/v1/user_uploads',
        body: multipart(pictures[(number >> 1) % pictures.length] ?? Buffer.alloc(0)),
      });
    },
  },
  {
    name: 'keys',
    about:
      'wrong API keys in URLs of 50 000 accounts and in headers, passwords, and sixty thousand alert words',
    prepare: async ({ guest, victim }) => {
      const words = Array.from({ length: 60_000 }, (_, n) => `word number ${n}`);
      return (number) => {
        if (number % 20 === 0)
          return { as: guest, path: '/api/v1/users/me/alert_words', fields: { alert_words: words } };
        const fields = { username: victim.email, password: `guess ${number}` };
        if (number % 8 === 1) return { as: null, path: '/api/v1/fetch_api_key', fields };
        if (number % 8 === 3) return { as: stranger, method: 'GET', path: '/api/v1/users/me' };
        const amongMany = { as: null, host: crowdHost };
        const key = `?api_key=${randomBytes(16).toString('hex')}`;
        return number % 2 === 0
          ? { ...amongMany, path: `/api/v1/external/github${key}` }
          : { ...amongMany, method: 'GET', path: `/avatar/1${key}` };
      };
    },
  },
];

function multipart(picture: Buffer): { type: string; content: Buffer } {
  const boundary = 'abuse';
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\ncontent-type: image/png\r\n\r\n`;
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    content: Buffer.concat([Buffer.from(head), picture, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  };
}

/** Asks on eight connections, as fast as the answers come, until the signal aborts. Resolves with the number by status. */
export async function attack(
  place: Place,
  requestOf: (number: number) => Request,
): Promise<Record<number, number>> {
  const statuses: Record<number, number> = {};
  let number = 0;
  const askOn = async () => {
    while (!place.signal.aborted) {
      const status = await ask(place, requestOf(number++));
      if (!place.signal.aborted) statuses[status] = (statuses[status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: 8 }, askOn));
  return statuses;
}
