import { roles } from '@parley/protocol';

/** Flags of every command. */
export interface CommonFlags {
  json: boolean;
}

export const commonFlags = {
  json: { kind: 'boolean', brief: 'Print JSON', default: false, withNegated: false },
} as const;

/** Flags of commands about one organization. */
export interface RealmFlags extends CommonFlags {
  realm?: string;
}

export const realmFlags = {
  ...commonFlags,
  realm: {
    kind: 'parsed',
    parse: String,
    optional: true,
    placeholder: 'name',
    brief: 'Organization; not needed if there is only one',
  },
} as const;

/** The flag of commands that destroy something. */
export const yesFlag = {
  yes: { kind: 'boolean', brief: 'Do not ask for confirmation', default: false, withNegated: false },
} as const;

/** Declares a flag with a text that is needed. */
export const textFlag = (placeholder: string, brief: string) =>
  ({ kind: 'parsed', parse: String, placeholder, brief }) as const;

/** Declares a flag with a text that may be left out. */
export const optionalTextFlag = (placeholder: string, brief: string) =>
  ({ kind: 'parsed', parse: String, optional: true, placeholder, brief }) as const;

/** Declares the one argument of a command. */
export const oneArgument = (placeholder: string, brief: string) =>
  ({ kind: 'tuple', parameters: [{ parse: String, placeholder, brief }] }) as const;

export type RoleName = keyof typeof roles;

/** Safe: these are the keys. */
const roleNames = Object.keys(roles) as RoleName[];

/** Declares the role of an account. */
export const roleFlag = (preset: RoleName) =>
  ({ kind: 'enum', values: roleNames, default: preset, brief: 'Role of the account' }) as const;

/** The argument that is a role. */
export const roleArgument = {
  parse(text: string): RoleName {
    const role = roleNames.find((name) => name === text);
    if (!role) throw new Error(`There is no role ${text}. Choose one of: ${roleNames.join(', ')}`);
    return role;
  },
  proposeCompletions: () => roleNames,
  placeholder: 'role',
  brief: roleNames.join(', '),
} as const;

/** The argument that names an account. */
export const userArgument = {
  parse: String,
  placeholder: 'email',
  brief: 'Email address of the account',
} as const;

/** Declares a flag with how many. */
export const countFlag = (preset: string, brief: string) =>
  ({
    kind: 'parsed',
    parse(text: string): number {
      if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
      throw new Error(`${text} is not a number from 1 to 999999`);
    },
    default: preset,
    placeholder: 'count',
    brief,
  }) as const;
