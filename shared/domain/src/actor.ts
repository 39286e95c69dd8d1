import type { Role } from '@parley/protocol';

/** A realm as the outside addresses it. */
export interface Realm {
  id: number;
  name: string;
  /** Host name without port: the domain of placeholder email addresses. */
  host: string;
  /** Base URL without a slash at the end. */
  url: string;
  /** The conversation of everyone but guests. */
  membersConversationId: number;
}

/** Who acts. Read with the request's credentials, or from the same row that proved them. */
export interface Actor {
  id: number;
  realm: Realm;
  email: string;
  fullName: string;
  role: Role;
  botType: number | null;
  emailVisibility: number;
  avatarVersion: number;
  timezone: string;
  /** Of the API key that the actor proved to have. */
  keyGeneration: number;
}

export const isGuest = ({ role }: Pick<Actor, 'role'>) => role >= 600;
export const isAdministrator = ({ role }: Pick<Actor, 'role'>) => role <= 200;
