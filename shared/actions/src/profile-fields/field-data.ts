import { limits, ApiError, profileFieldTypes, externalAccounts } from '@parley/protocol';
import { z } from 'zod';

const text = z.string().trim().min(1).max(limits.profileOptionLength);

/** The options of a list, by the key that values hold. */
const Options = z.record(
  text,
  z.strictObject({ text, order: z.union([z.int().transform(String), z.string().regex(/^\d{1,9}$/)]) }),
);

const Account = z.strictObject({ subtype: z.string(), url_pattern: z.string().optional() });

const badRequest = (msg: string) => new ApiError('BAD_REQUEST', msg);

/** What a field's type needs to know beside its name, as it is stored: JSON text, empty for most types. */
export function parseFieldData(type: number, given: unknown): string {
  if (type === profileFieldTypes.SELECT.id) return JSON.stringify(parseOptions(given));
  if (type === profileFieldTypes.EXTERNAL_ACCOUNT.id) return JSON.stringify(parseAccount(given));
  return '';
}

function parseOptions(given: unknown): z.output<typeof Options> {
  const { data: options } = Options.safeParse(given);
  if (!options) throw badRequest('field_data is not a list of options');
  const texts = Object.values(options).map((option) => option.text);
  if (texts.length === 0) throw badRequest('Field must have at least one choice.');
  if (texts.length > limits.profileOptions) throw badRequest('field_data is too long');
  if (new Set(texts).size < texts.length) throw badRequest('Field must not have duplicate choices.');
  return options;
}

function parseAccount(given: unknown): z.output<typeof Account> {
  const { data: account } = Account.safeParse(given);
  if (!account) throw badRequest('field_data is not an external account');
  const { subtype, url_pattern: pattern } = account;
  if (subtype !== 'custom') {
    if (!Object.hasOwn(externalAccounts, subtype)) throw badRequest('Invalid external account type');
    return { subtype };
  }
  if (pattern === undefined) throw badRequest('Custom external account must define URL pattern');
  const isWhole = pattern.split('%(username)s').length === 2 && pattern.length <= limits.profileUrlLength;
  if (!isWhole || !isUrl(pattern.replace('%(username)s', 'username'))) {
    throw badRequest('Malformed URL pattern.');
  }
  return account;
}

const Url = z.url({ protocol: /^https?$/ });

export const isUrl = (value: string): boolean => Url.safeParse(value).success;

/** Keys of the options of a list. */
export const optionKeys = ({ fieldData }: { fieldData: string }): Set<string> =>
  new Set(fieldData === '' ? [] : Object.keys(JSON.parse(fieldData) as object));

/** The account elsewhere that a field is for, if it is one of those that are known here. */
export function knownAccount({ type, fieldData }: { type: number; fieldData: string }) {
  if (type !== profileFieldTypes.EXTERNAL_ACCOUNT.id) return undefined;
  const { subtype } = JSON.parse(fieldData) as { subtype: string };
  return Object.hasOwn(externalAccounts, subtype) ? externalAccounts[subtype] : undefined;
}
