import { limits, ApiError, profileFieldTypes, externalAccounts } from '@parley/protocol';
import { z } from 'zod';

const text = z.string().trim().min(1).max(limits.profileOptionLength);

/** The options of a list, by the key that is stored as a user's value. */
const Options = z.record(
  text,
  z.strictObject({ text, order: z.union([z.int().transform(String), z.string().regex(/^\d{1,9}$/)]) }),
);

const Account = z.strictObject({ subtype: z.string(), url_pattern: z.string().optional() });

const badRequest = (msg: string) => new ApiError('BAD_REQUEST', msg);

/**
 * Parses the data that a field's type needs to the form that is stored: JSON text, empty for most types.
 *
 * @throws BAD_REQUEST for data that its type does not allow
 */
export function parseFieldData(type: number, input: unknown): string {
  if (type === profileFieldTypes.SELECT.id) return JSON.stringify(parseOptions(input));
  if (type === profileFieldTypes.EXTERNAL_ACCOUNT.id) return JSON.stringify(parseAccount(input));
  return '';
}

function parseOptions(input: unknown): z.output<typeof Options> {
  const { data: options } = Options.safeParse(input);
  if (!options) throw badRequest('field_data must be an object of options.');
  const texts = Object.values(options).map((option) => option.text);
  if (texts.length === 0) throw badRequest('A list of options needs at least one option.');
  if (texts.length > limits.profileOptions) throw badRequest('There are too many options.');
  if (new Set(texts).size < texts.length) throw badRequest('Two options cannot have the same text.');
  return options;
}

function parseAccount(input: unknown): z.output<typeof Account> {
  const { data: account } = Account.safeParse(input);
  if (!account) throw badRequest('field_data must describe an external account.');
  const { subtype, url_pattern: pattern } = account;
  if (subtype !== 'custom') {
    if (!Object.hasOwn(externalAccounts, subtype))
      throw badRequest('There is no such type of external account.');
    return { subtype };
  }
  if (pattern === undefined) throw badRequest('A custom external account needs a URL pattern.');
  const isValid = pattern.split('%(username)s').length === 2 && pattern.length <= limits.profileUrlLength;
  if (!isValid || !isUrl(pattern.replace('%(username)s', 'username'))) {
    throw badRequest('The URL pattern needs %(username)s exactly once.');
  }
  return account;
}

const Url = z.url({ protocol: /^https?$/ });

export const isUrl = (value: string): boolean => Url.safeParse(value).success;

/** Returns the keys of a list's options. */
export const optionKeys = ({ fieldData }: { fieldData: string }): Set<string> =>
  new Set(fieldData === '' ? [] : Object.keys(JSON.parse(fieldData) as object));

/** Returns the known external account that a field is for, if it is for one. */
export function knownAccount({ type, fieldData }: { type: number; fieldData: string }) {
  if (type !== profileFieldTypes.EXTERNAL_ACCOUNT.id) return undefined;
  const { subtype } = JSON.parse(fieldData) as { subtype: string };
  return Object.hasOwn(externalAccounts, subtype) ? externalAccounts[subtype] : undefined;
}
