import type { Tx, ProfileFieldRow } from '@parley/db';
import type { Actor } from '@parley/model';
import * as model from '@parley/model';
import { profileFieldTypes, ApiError, limits } from '@parley/protocol';
import { z } from 'zod';

import { optionKeys, isUrl } from './field-data.ts';

/** A value as a client sends it: ids of users for a field of users, text for any other, null to clear it. */
export type FieldValueInput = string | number[] | null;

export interface FieldValue {
  value: string;
  renderedValue: string | null;
}

const types = profileFieldTypes;

const badRequest = (msg: string) => new ApiError('BAD_REQUEST', msg);

const Day = z.iso.date();

/**
 * Parses a value of a field to the form that is stored; null for an empty one, which clears the field.
 *
 * @throws BAD_REQUEST for a value that the field cannot have
 */
export async function parseFieldValue(
  tx: Tx,
  actor: Actor,
  field: ProfileFieldRow,
  input: FieldValueInput,
): Promise<FieldValue | null> {
  if (input === null || input.length === 0) return null;
  if (field.type === types.USER.id) {
    if (typeof input === 'string') throw badRequest(`${field.name} must be a list.`);
    await assertUsersAreValid(tx, actor, field, input);
    return { value: JSON.stringify(input), renderedValue: null };
  }
  if (typeof input !== 'string') throw badRequest(`${field.name} must be a string.`);
  assertTextIsValid(field, input);
  const isRendered = field.type === types.SHORT_TEXT.id || field.type === types.LONG_TEXT.id;
  return { value: input, renderedValue: isRendered ? await model.texts.renderText(tx, actor, input) : null };
}

function assertTextIsValid(field: ProfileFieldRow, text: string): void {
  const { name, type } = field;
  if (type === types.SELECT.id) {
    if (!optionKeys(field).has(text)) throw badRequest(`'${text}' is not an option of '${name}'.`);
  } else if (type === types.DATE.id) {
    if (!Day.safeParse(text).success) throw badRequest(`${name} must be a date.`);
  } else if (type === types.URL.id) {
    assertLength(name, text, limits.profileUrlLength);
    if (!isUrl(text)) throw badRequest(`${name} must be a URL.`);
  } else {
    const isLong = type === types.LONG_TEXT.id;
    assertLength(name, text, isLong ? limits.profileLongTextLength : limits.profileShortTextLength);
  }
}

function assertLength(name: string, text: string, max: number): void {
  if ([...text].length > max) throw badRequest(`${name} can have at most ${max} characters.`);
}

async function assertUsersAreValid(tx: Tx, actor: Actor, { name }: ProfileFieldRow, ids: number[]) {
  if (ids.length > limits.profileUsers) throw badRequest(`${name} is too long.`);
  const accessible = await model.access.filterAccessible(
    tx,
    actor,
    await model.users.listUsers(tx, actor.realm.id, ids),
  );
  const usersById = new Map(accessible.map((user) => [user.id, user]));
  for (const id of ids) {
    const user = usersById.get(id);
    if (!user || user.isSystem) throw badRequest(`There is no user with the id ${id}.`);
    if (!user.isActive) throw badRequest(`The user with the id ${id} is deactivated.`);
    if (user.botType !== null) throw badRequest(`The user with the id ${id} is a bot.`);
  }
}
