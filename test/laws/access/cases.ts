import type { Params } from '../../support/index.ts';
import { type Caller, administrators, anybody, insiders, members } from './callers.ts';
import type { Fixture } from './fixture.ts';

/** What may each endpoint be asked for by whom: the name of an endpoint, and its cases. */
export type Table = Record<string, Case[]>;

export interface Case {
  /** Whose, or what; the endpoint's name says the rest. */
  of: string;
  /** Made anew for each caller: what one of them takes away is there for the next. */
  params(fixture: Fixture, caller: Caller): Params | Promise<Params>;
  may: readonly Caller[];
  /** What the others are answered; some with a code of their own. */
  code?: string;
  codes?: Partial<Record<Caller, string>>;
  /** Where not everyone comes along. */
  callers?: readonly Caller[];
}

export const own = (params: Case['params'] = () => ({})): Case[] => [
  { of: 'one’s own', params, may: anybody },
];

/** What administrators of the same organization do, and nobody else. */
export const forAdministrators = {
  may: administrators,
  code: 'UNAUTHORIZED_PRINCIPAL',
  codes: { otherRealm: 'BAD_REQUEST' },
} as const;

/** A message of each kind that is not the caller's. */
export const ofMessages = (more: Params = {}): Case[] => [
  {
    of: 'in a private channel',
    params: ({ privateMessage }) => ({ message_id: privateMessage, ...more }),
    may: insiders,
    code: 'BAD_REQUEST',
  },
  {
    of: 'in a public channel',
    params: ({ publicMessage }) => ({ message_id: publicMessage, ...more }),
    may: members,
    code: 'BAD_REQUEST',
  },
  {
    of: 'in a channel with protected history, that a member has left and a moderator joined later',
    params: ({ protectedMessage }) => ({ message_id: protectedMessage, ...more }),
    may: insiders,
    code: 'BAD_REQUEST',
  },
  {
    of: 'between others',
    params: ({ directMessage }) => ({ message_id: directMessage, ...more }),
    may: insiders,
    code: 'BAD_REQUEST',
  },
];

/** A channel of each kind that is not the caller's, in a parameter called `name`. */
export const ofChannels = (name: string, more: Params, code: string): Case[] => [
  {
    of: 'of a private channel',
    params: ({ privateId }) => ({ [name]: privateId, ...more }),
    may: insiders,
    code,
  },
  {
    of: 'of a public channel',
    params: ({ publicId }) => ({ [name]: publicId, ...more }),
    may: members,
    code,
  },
];

/** A channel whose being there is known to administrators, too. */
export const ofSeenChannels = (name: string, more: (fixture: Fixture) => Params = () => ({})): Case[] => [
  {
    of: 'of a private channel',
    params: (fixture) => ({ [name]: fixture.privateId, ...more(fixture) }),
    may: [...insiders, ...administrators],
    code: 'BAD_REQUEST',
  },
  {
    of: 'of a public channel',
    params: (fixture) => ({ [name]: fixture.publicId, ...more(fixture) }),
    may: members,
    code: 'BAD_REQUEST',
  },
];

/** What is for administrators alone. That of another organization finds nothing here. */
export const ofAdministrators = (of: string, params: Case['params'], otherRealm = 'BAD_REQUEST'): Case[] => [
  { of, params, may: administrators, code: 'UNAUTHORIZED_PRINCIPAL', codes: { otherRealm } },
];
