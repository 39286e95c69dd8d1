import { ApiError, limits } from '@parley/protocol';
import { z } from 'zod';

/** Returns whether a character is a control character, a lone surrogate or a non-character. No name may contain one. */
export function isUnprintable(character: string): boolean {
  if (/[\p{Cc}\p{Cs}]/u.test(character)) return true;
  const code = character.codePointAt(0) ?? 0;
  return (code & 0xfffe) === 0xfffe || (code >= 0xfdd0 && code <= 0xfdef);
}

/**
 * Returns the form in which a channel's name is stored.
 *
 * @throws BAD_REQUEST for a name that is empty, too long or has unprintable characters
 */
export function parseChannelName(raw: string): string {
  const name = raw.trim();
  if (name === '') throw new ApiError('BAD_REQUEST', 'Enter a name for the channel.');
  const points = [...name];
  if (points.length > limits.channelNameLength) {
    throw new ApiError(
      'BAD_REQUEST',
      `The name of a channel can have at most ${limits.channelNameLength} characters.`,
    );
  }
  const invalid = points.findIndex(isUnprintable);
  if (invalid >= 0) {
    throw new ApiError(
      'BAD_REQUEST',
      `The name of the channel contains a character that is not allowed, at position ${invalid + 1}.`,
    );
  }
  return name;
}

/**
 * Returns the form in which a channel's description is stored: one line.
 *
 * @throws BAD_REQUEST if it is too long
 */
export function parseChannelDescription(raw: string): string {
  const description = raw.replaceAll(/\s*\n\s*/g, ' ').trim();
  if ([...description].length > limits.channelDescriptionLength) {
    throw new ApiError(
      'BAD_REQUEST',
      `The description can have at most ${limits.channelDescriptionLength} characters.`,
    );
  }
  return description;
}

/**
 * Returns the form in which a user's or bot's full name is stored.
 *
 * @throws BAD_REQUEST for a name that is empty, too long, has characters that mentions use, or ends like `|12`
 */
export function parseFullName(raw: string): string {
  const name = raw.trim();
  const points = [...name];
  if (name === '') throw new ApiError('BAD_REQUEST', 'Enter a name.');
  if (points.length > limits.fullNameLength) throw new ApiError('BAD_REQUEST', 'This name is too long.');
  if (/[*`\\>"@]/.test(name) || points.some(isUnprintable)) {
    throw new ApiError('BAD_REQUEST', 'This name contains characters that are not allowed.');
  }
  // A mention `@**name|12**` names a user by id.
  if (/\|\d+$/.test(name)) throw new ApiError('BAD_REQUEST', 'A name cannot end with | and a number.');
  return name;
}

interface TextFieldOptions {
  mayBeEmpty?: boolean;
}

/**
 * Returns a trimmed text that an administrator enters. `param` is the parameter that the error message names.
 *
 * @throws BAD_REQUEST for a text that is too long, has a null byte, or is empty where it must not be
 */
export function parseTextField(
  param: string,
  raw: string,
  max: number,
  { mayBeEmpty }: TextFieldOptions = {},
): string {
  const line = raw.trim();
  if (line === '' && !mayBeEmpty) throw new ApiError('BAD_REQUEST', `${param} cannot be empty.`);
  if (line.includes('\0')) throw new ApiError('BAD_REQUEST', `${param} contains a null character.`);
  if ([...line].length > max) {
    throw new ApiError('BAD_REQUEST', `${param} can have at most ${max} characters.`);
  }
  return line;
}

const Email = z.email().max(254);

/** Returns whether email addresses can end in this host name. */
export const isEmailDomain = (host: string) => Email.safeParse(`user@${host}`).success;

/**
 * Returns an email address, trimmed.
 *
 * @throws BAD_REQUEST with the message `refusal` for anything that is not an address of at most 254 characters
 */
export function parseEmail(raw: string, refusal: string): string {
  const email = Email.safeParse(raw.trim());
  if (!email.success) throw new ApiError('BAD_REQUEST', refusal);
  return email.data;
}

/**
 * Returns the form in which a channel folder's name is stored.
 *
 * @throws BAD_REQUEST for a name that is empty, too long or has unprintable characters
 */
export function parseChannelFolderName(raw: string): string {
  const name = raw.trim();
  if (name === '') throw new ApiError('BAD_REQUEST', 'Enter a name for the channel folder.');
  const invalid = [...name].findIndex(isUnprintable);
  if (invalid >= 0) {
    throw new ApiError(
      'BAD_REQUEST',
      `The name of the channel folder contains a character that is not allowed, at position ${invalid + 1}.`,
    );
  }
  return parseTextField('name', name, limits.channelFolderNameLength);
}

/**
 * Returns the form in which the name of a group of default channels is stored.
 *
 * @throws BAD_REQUEST for a name that is empty, too long or has a null byte
 */
export function parseDefaultChannelGroupName(raw: string): string {
  const name = raw.trim();
  if (name === '' || name.includes('\0')) {
    throw new ApiError('BAD_REQUEST', `A default channel group cannot be called '${name}'.`);
  }
  const max = limits.defaultChannelGroupNameLength;
  if ([...name].length > max) {
    throw new ApiError(
      'BAD_REQUEST',
      `The name of a default channel group can have at most ${max} characters.`,
    );
  }
  return name;
}

/** What no group's name may start with: the marks of mentions, and the names of system groups. */
const reservedGroupPrefixes = ['@', 'role:', 'user:', 'stream:', 'channel:'];

/**
 * Returns the form in which a user group's name is stored.
 *
 * @throws BAD_REQUEST for a name that is empty, too long, has unprintable characters, or looks like a mention or the name
 * of a system group
 */
export function parseUserGroupName(raw: string): string {
  const name = raw.trim();
  const points = [...name];
  if (name === '') throw new ApiError('BAD_REQUEST', 'Enter a name for the user group.');
  if (points.length > limits.userGroupNameLength) {
    throw new ApiError(
      'BAD_REQUEST',
      `The name of a user group can have at most ${limits.userGroupNameLength} characters.`,
    );
  }
  const prefix = reservedGroupPrefixes.find((one) => name.toLowerCase().startsWith(one));
  if (prefix !== undefined) {
    throw new ApiError('BAD_REQUEST', `The name of a user group cannot start with '${prefix}'.`);
  }
  const invalid = points.findIndex(isUnprintable);
  if (invalid >= 0) {
    throw new ApiError(
      'BAD_REQUEST',
      `The name of the user group contains a character that is not allowed, at position ${invalid + 1}.`,
    );
  }
  return name;
}

/** Applies a parser to a value that was given. A value that was not given stays undefined. */
export const parseOptional = <Raw, Parsed>(
  raw: Raw | undefined,
  parse: (raw: Raw) => Parsed,
): Parsed | undefined => (raw === undefined ? undefined : parse(raw));
