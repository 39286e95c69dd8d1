import { checkLinkifier, findVariables } from '@parley/markdown';
import * as model from '@parley/model';
import { externalAccounts, limits, onboardingSteps, profileFieldTypes } from '@parley/protocol';
import { z } from 'zod';

import { count, fromJson, id, like, nullableHtml, text, time, webUrl } from './values.ts';

const types = profileFieldTypes;
const optionText = text(limits.profileOptionLength).min(1);

const Options = z
  .record(optionText, z.strictObject({ text: optionText, order: like(/^\d{1,9}$/) }))
  .refine((options) => {
    const size = Object.keys(options).length;
    return size > 0 && size <= limits.profileOptions;
  });

const Account = z
  .strictObject({ subtype: text(100), url_pattern: text(limits.profileUrlLength).optional() })
  .refine(({ subtype, url_pattern: pattern }) =>
    subtype === 'custom'
      ? pattern?.split('%(username)s').length === 2 &&
        webUrl.safeParse(pattern.replace('%(username)s', 'username')).success
      : Object.hasOwn(externalAccounts, subtype),
  );

function isFieldData(type: number, data: string): boolean {
  if (type === types.SELECT.id) return Options.safeParse(fromJson(data)).success;
  if (type === types.EXTERNAL_ACCOUNT.id) return Account.safeParse(fromJson(data)).success;
  return data === '';
}

export const custom_profile_fields = z
  .strictObject({
    id,
    realm_id: id,
    name: text(limits.profileFieldNameLength).min(1),
    hint: text(limits.profileFieldHintLength),
    type: z.literal(Object.values(types).map((type) => type.id)),
    field_data: text(200_000),
    position: count,
    is_required: z.boolean(),
    is_editable_by_user: z.boolean(),
    is_in_summary: z.boolean(),
  })
  .refine(({ type, field_data }) => isFieldData(type, field_data));

export const custom_profile_values = z.strictObject({
  user_id: id,
  field_id: id,
  value: text(10_000),
  rendered_value: nullableHtml,
});

/** A field of the profile: its type, and what it says of it. */
export interface ProfileField {
  type: number;
  fieldData: string;
}

const userList = z.array(id).max(limits.profileUsers);

/** Returns whether a field can have a value, and HTML of it or none. */
export function isProfileValue(
  { type, fieldData }: ProfileField,
  value: string,
  isRendered: boolean,
): boolean {
  const isOfText = type === types.SHORT_TEXT.id || type === types.LONG_TEXT.id;
  if (isRendered !== isOfText) return false;
  switch (type) {
    case types.SELECT.id:
      return Object.hasOwn(fromJson(fieldData) as object, value);
    case types.DATE.id:
      return z.iso.date().safeParse(value).success;
    case types.URL.id:
      return webUrl.safeParse(value).success;
    case types.USER.id:
      return userList.safeParse(fromJson(value)).success;
    default:
      return text(type === types.LONG_TEXT.id ? limits.profileLongTextLength : limits.profileShortTextLength)
        .min(1)
        .safeParse(value).success;
  }
}

export const linkifiers = z
  .strictObject({
    id,
    realm_id: id,
    pattern: text(limits.linkifierPatternLength),
    url_template: text(limits.urlTemplateLength),
    position: count,
  })
  .refine(({ pattern, url_template: template }) => checkLinkifier(pattern, template) === null);

export const playgrounds = z
  .strictObject({
    id,
    realm_id: id,
    name: text(limits.playgroundNameLength).min(1),
    language: like(/^[ a-zA-Z0-9_+,\-./#]+$/).max(limits.playgroundLanguageLength),
    url_template: text(limits.urlTemplateLength),
  })
  .refine(({ url_template: template }) => findVariables(template)?.join() === 'code');

/** An emoji: its name, its code, and which kind it is of. */
interface NamedEmoji {
  emoji_name: string;
  emoji_code: string;
  reaction_type: string;
}

const emojiName = text(limits.emojiLength);
export const emoji = {
  emoji_name: emojiName,
  emoji_code: text(limits.emojiLength),
  reaction_type: z.string(),
};

/** Returns whether there is an emoji of this code. Which ones an organization has is looked at elsewhere. */
export function isEmoji({ emoji_name: name, emoji_code: code, reaction_type: type }: NamedEmoji): boolean {
  if (name === '') return false;
  if (type === 'realm_emoji') return /^[1-9]\d{0,9}$/.test(code);
  if (type === model.emoji.extraEmoji.type) return code === model.emoji.extraEmoji.code;
  return type === 'unicode_emoji' && model.emoji.isUnicodeEmojiCode(code);
}

export const user_statuses = z
  .strictObject({ user_id: id, text: text(limits.statusTextLength), ...emoji, away: z.boolean() })
  .refine(
    (status) =>
      (status.emoji_name === '' && status.emoji_code === '' && status.reaction_type === '') ||
      isEmoji(status),
  );

export const alert_words = z.strictObject({
  user_id: id,
  realm_id: id,
  word: text(limits.alertWordLength).refine((word) => word.trim() !== ''),
});

export const muted_users = z.strictObject({ user_id: id, muted_user_id: id, muted_at: time });

export const bot_storage = z
  .strictObject({
    user_id: id,
    key: text(limits.storedKeyLength),
    value: text(limits.storedCharacters),
    characters: count,
    bytes: count,
  })
  // The sums over them are bounded.
  .transform((row) => ({
    ...row,
    characters: [...row.key].length + [...row.value].length,
    bytes: Buffer.byteLength(JSON.stringify([row.key, row.value])),
  }));

export const saved_snippets = z.strictObject({
  id,
  user_id: id,
  title: text(limits.savedSnippetTitleLength),
  content: text(limits.messageLength),
  created_at: time,
});

export const navigation_views = z.strictObject({
  id,
  user_id: id,
  fragment: text(limits.fragmentLength),
  is_pinned: z.boolean(),
  name: text(limits.navigationViewNameLength).nullable(),
});

const steps: readonly string[] = onboardingSteps;

export const onboarding_steps_seen = z.strictObject({
  user_id: id,
  name: text(100).refine((name) => steps.includes(name)),
});
