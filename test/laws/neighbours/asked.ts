import type { Params } from '../../support/index.ts';
import { personAt } from './data-set.ts';

/** What clients ask for often, and how many buffers Postgres may read for it. */
export interface Asked {
  name: string;
  method: string;
  path: string;
  params: Params;
  /** How many buffers are read at most for each message that is shown, and for all together. */
  perMessage: number;
  once: number;
  /** How many times as many as alone are read among neighbours. */
  growth: number;
}

/** Indexes that are a little larger, and rows that lie a little further apart. */
const alike = 1.1;
/**
 * Postgres reads flags first or messages first, and remembers who is in a conversation or looks it up again, as it expects
 * to read less.
 */
const eitherWay = 1.4;

/** Buffers for one look-up of a row by an index that has a root, leaves, and one level between. */
const lookUp = 4;
/** Permissions, accounts, a connection that is new, and indexes that the planner looks at. */
const fixed = 400;

interface Costs {
  /** How many messages are looked at for each that is shown. */
  looksAt?: number;
  once?: number;
  growth?: number;
}

function page(name: string, params: Params, costs: Costs = {}): Asked {
  return {
    name: `the messages ${name}`,
    method: 'GET',
    path: '/messages',
    params: { anchor: 'newest', num_before: 100, num_after: 0, ...params },
    // The message, its conversation, channel and membership, to find it and to show it; its topic and its flags.
    perMessage: (costs.looksAt ?? 1) * 4 * lookUp + 4 * lookUp,
    once: fixed + (costs.once ?? 0),
    growth: costs.growth ?? alike,
  };
}

const narrow = (...terms: [string, unknown][]): Params => ({ narrow: terms });
const around = { num_before: 50, num_after: 50 };
const channel: [string, unknown] = ['channel', 'channel 3'];

const pages = [
  page('of everything', {}),
  page('of everything, from the oldest', { anchor: 'oldest', num_before: 0, num_after: 100 }),
  page('around one', { anchor: 1500, ...around }),
  // Ids of everything unread are sorted.
  page('around the first unread one', { anchor: 'first_unread', ...around }, { once: 5000 }),
  page('in a channel', narrow(channel), { growth: eitherWay }),
  page('of a topic', narrow(channel, ['topic', 'topic 3 about tea'])),
  page('of topics of a name', narrow(['topic', 'topic 3 about tea']), { looksAt: 8 }),
  page('to a person', narrow(['dm', [personAt(3)]])),
  page('of a person', narrow(['sender', personAt(3)])),
  page('to people', narrow(['is', 'dm']), { looksAt: 2 }),
  page('that are unread', narrow(['is', 'unread']), { once: 5000 }),
  page('with a mention', narrow(['is', 'mentioned']), { looksAt: 2, growth: eitherWay }),
  page('with a star', narrow(['is', 'starred']), { looksAt: 2, growth: eitherWay }),
  page('with an alert word', narrow(['is', 'alerted'])),
  page('of followed topics', narrow(['is', 'followed'])),
  page('with a link', narrow(['has', 'link']), { looksAt: 4 }),
  page('with a picture', narrow(['has', 'image'])),
  page('in public channels', narrow(['channels', 'public']), { looksAt: 2 }),
];

// A search sorts what it finds, and asks each channel for topics that have the word in their names.
const searches = [
  page('with a word that few have', narrow(['search', 'number17']), { once: 1500 }),
  page('with a word that all have', narrow(['search', 'lunch']), { once: 4500 }),
  page('with two words', narrow(['search', 'coffee house']), { once: 4500 }),
  page('with a word that none has', narrow(['search', 'zebra']), { once: 1500 }),
  page('with a phrase', narrow(['search', '"again and again"']), { once: 4500 }),
  page('with a word of their topics', narrow(['search', 'tea']), { once: 4500 }),
  page('in a channel with a word', narrow(channel, ['search', 'coffee']), { once: 1500 }),
];

const other = (name: string, method: string, path: string, params: Params, once: number): Asked => ({
  name,
  method,
  path,
  params,
  perMessage: 0,
  once,
  growth: alike,
});

export const asked: readonly Asked[] = [
  ...pages,
  ...searches,
  other('a registration', 'POST', '/register', {}, 10_000),
  other(
    'what is unread',
    'POST',
    '/register',
    { fetch_event_types: ['message', 'update_message_flags'] },
    8000,
  ),
  other('the accounts', 'GET', '/users', {}, 400),
  other('the channels', 'GET', '/streams', {}, 4000),
  other('the topics of a channel', 'GET', `/users/me/${personAt(3)}/topics`, {}, 1000),
];

/** Recurring jobs. That which looks at all channels, once a day, is missing. */
export const sweeps: readonly string[] = [
  'trim-log',
  'expire-messages',
  'trim-archive',
  'expire-uploads',
  'sweep-files',
  'sweep-partial-uploads',
  'sweep-traffic',
  'sweep-search-terms',
  'merge-search-indexes',
  'full-members',
  'fill-key-digests',
  'sweep-previews',
  'sweep-email-changes',
  'sweep-mails',
  'sweep-exports',
  'sweep-imports',
  'seal-vapid-keys',
  'sweep-due',
  'sweep-webhooks',
  'notify',
  'sweep-notifications',
  'digests',
];
