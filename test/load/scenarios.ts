import { type Attack, attacks, searchersMax } from './attacks/attacks.ts';
import { type Rates, profiled } from './kinds.ts';

export interface ChannelPlan {
  /** Members, by their numbers within the organization. */
  members: number[];
  isPrivate: boolean;
  /** How often messages are sent to it, in proportion to the others. */
  weight: number;
}

/** Who there is. */
export interface Population {
  organizations: number;
  /** Accounts of each organization; the first of them have clients. */
  accounts: number;
  active: number;
  channels: ChannelPlan[];
  /** The last of the accounts are guests, who have no clients, but are in every channel. */
  guests?: number;
  /** Messages that the first channel has from before anybody came. */
  history?: number;
  /** Messages that each channel has from then, in the topics in which people write. */
  written?: number;
  /** Accounts of another organization, which nobody uses. */
  crowd?: number;
  /** One account, and no other, sends. */
  hasOneSender?: boolean;
}

export interface Scenario {
  name: string;
  about: string;
  pollers: number;
  populate(pollers: number): Population;
  rates(pollers: number): Rates;
  /** Attacks that guests, or strangers, make one after the other while the load goes on. */
  attacks?: readonly Attack[];
  /** An archive with so many messages is imported while the load goes on, after some seconds of calm. */
  imports?: number;
  /** Seconds that it goes on, or each attack, unless an option says so. */
  seconds?: number;
  /** Seconds of the same before anything counts, unless an option says so, or a run goes on for a number of sends. */
  warmUpSeconds?: number;
  /** Settings of the nodes, instead of limits that are wide open. */
  env?: NodeJS.ProcessEnv;
  /** Clients come back all at once, without queues, instead of being there when the load begins. */
  returns?: boolean;
  /** Further queues, each somebody else's, that are polled once, and never again. */
  abandoned?: number;
  /** Further clients, each somebody else's, that read long replies a few bytes at a time. */
  slowReaders?: number;
  /** So many queue nodes do so many clients need, unless an option says so. */
  queueNodes?(pollers: number): number;
  /** Only so many of the organizations, the first ones, are asked for anything. */
  asked?: number;
  /** The memory of queue nodes must not grow while the load goes on. */
  isFlat?: boolean;
}

const range = (first: number, size: number) => Array.from({ length: size }, (_, index) => first + index);

/** Channels of so many members each, among all accounts. */
function teams(accounts: number, size: number, weight: number, isPrivate = false): ChannelPlan[] {
  return Array.from({ length: Math.ceil(accounts / size) }, (_, number) => ({
    members: range(number * size, Math.min(size, accounts - number * size)),
    isPrivate,
    weight,
  }));
}

const everyone = (accounts: number, weight: number): ChannelPlan => ({
  members: range(0, accounts),
  isPrivate: false,
  weight,
});

/** One organization in which so many people have a client each, and everyone is in one channel, others too. */
const oneChannel = (active: number, others = 0): Population => ({
  organizations: 1,
  accounts: active + others,
  active,
  channels: [everyone(active + others, 1)],
});

/** Where a process may have 20 000 files, and polls are not spread quite evenly. */
const parkedPerNode = 16_000;
const abandoned = 10_000;
const slowReaders = 500;
/** Enough for four rounds of all attacks, with a calm before each round. */
const guests = 4 * (attacks.length + 1) + searchersMax;
const history = 100_000;
/** A page of messages is full. */
const written = 100;
/** Accounts among which a wrong key may be looked for. */
const crowd = 50_000;

export const scenarios: readonly Scenario[] = [
  {
    name: 'mix',
    about: 'organizations of 500, what a busy server is asked, in its proportions',
    pollers: 10_000,
    // By then nearly each client has shown itself once.
    warmUpSeconds: 60,
    populate(pollers) {
      const accounts = Math.min(500, pollers);
      return {
        organizations: Math.ceil(pollers / accounts),
        accounts,
        active: accounts,
        // So that a message is heard by about as many as the profile says.
        channels: [...teams(accounts, 14, 1), everyone(accounts, 0.3)],
        written,
      };
    },
    rates: (pollers) => profiled(pollers),
  },
  {
    name: 'company',
    about: 'one organization, two clients each, small private channels, ten times the messages',
    pollers: 4000,
    populate(pollers) {
      const accounts = Math.ceil(pollers / 2);
      return {
        organizations: 1,
        accounts,
        active: accounts,
        channels: [...teams(accounts, 8, 1, true), ...teams(accounts, 60, 1)],
        written,
      };
    },
    rates: (pollers) => profiled(pollers, { send: 10, flags: 5, messages: 2 }),
  },
  {
    name: 'community',
    about: 'ten times as many accounts as clients, nearly everyone in twenty channels',
    pollers: 2000,
    populate(pollers) {
      const accounts = pollers * 10;
      const channels = Array.from({ length: 20 }, () => everyone(accounts, 1));
      return { organizations: 1, accounts, active: pollers, channels, written };
    },
    rates: (pollers) => ({ ...profiled(pollers, { register: 0.2 }), send: 0.5 }),
  },
  {
    name: 'return',
    about: 'all clients of one organization come back at once, without queues',
    pollers: 10_000,
    populate: (pollers) => oneChannel(pollers),
    rates: () => ({ send: 0.1 }),
    returns: true,
  },
  {
    name: 'announcement',
    about: 'a message to everyone every ten seconds',
    pollers: 10_000,
    populate: (pollers) => oneChannel(pollers),
    rates: () => ({ send: 0.1 }),
  },
  {
    name: 'parked',
    about: 'organizations of 2 000 that wait, and a message a second to everybody in the first',
    pollers: 200_000,
    // Longer than a round of heartbeats.
    seconds: 75,
    populate(pollers) {
      const accounts = Math.min(2000, pollers);
      const organizations = Math.ceil(pollers / accounts);
      return { organizations, accounts, active: accounts, channels: [everyone(accounts, 1)] };
    },
    rates: () => ({ send: 1 }),
    asked: 1,
    queueNodes: (pollers) => Math.max(1, Math.ceil(pollers / parkedPerNode)),
  },
  {
    name: 'bot',
    about: 'a bot sends 50 messages a second to a channel of 40',
    pollers: 1000,
    populate: (pollers) => ({
      organizations: 1,
      accounts: pollers,
      active: pollers,
      channels: [{ members: range(0, Math.min(40, pollers)), isPrivate: false, weight: 1 }],
      hasOneSender: true,
    }),
    rates: (pollers) => ({ ...profiled(pollers), send: 50 }),
  },
  {
    name: 'abandoned',
    about: '10 000 queues in a busy channel whose owners never come back',
    pollers: 200,
    populate: (pollers) => oneChannel(pollers, abandoned),
    rates: (pollers) => ({ ...profiled(pollers), send: 10 }),
    abandoned,
    isFlat: true,
  },
  {
    name: 'slow-readers',
    about: '500 clients in a busy channel that read long replies a few bytes at a time',
    pollers: 200,
    populate: (pollers) => oneChannel(pollers, slowReaders),
    rates: (pollers) => ({ ...profiled(pollers), send: 10 }),
    slowReaders,
    isFlat: true,
  },
  {
    name: 'import',
    about: 'an archive of Slack with 20 000 messages is imported into an organization that people use',
    pollers: 40,
    seconds: 30,
    warmUpSeconds: 30,
    populate: (pollers) => ({ ...oneChannel(pollers), history }),
    rates: () => ({ send: 20, messages: 10 }),
    imports: 20_000,
  },
  {
    name: 'abuse',
    about:
      'a small organization with a history of 100 000 messages beside one of 50 000 accounts, in calm and under each attack of a guest or of somebody without an account',
    pollers: 40,
    seconds: 20,
    warmUpSeconds: 30,
    populate: (pollers) => ({ ...oneChannel(pollers), accounts: pollers + guests, guests, history, crowd }),
    rates: () => ({ send: 10, messages: 10 }),
    attacks,
    // The limits are those of production, except those by address: here, all ordinary users share one.
    env: { LOG_LEVEL: 'error', RATE_LIMIT_BY_USER: '60:200,3600:2000', RATE_LIMIT_BY_ADDRESS: '60:100' },
  },
];
