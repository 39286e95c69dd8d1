import { z } from 'zod';

/** Types of profile fields. POST /register returns them as `custom_profile_field_types`, under the same names. */
export const profileFieldTypes = {
  SHORT_TEXT: { id: 1, name: 'Text (short)' },
  LONG_TEXT: { id: 2, name: 'Text (long)' },
  SELECT: { id: 3, name: 'List of options' },
  DATE: { id: 4, name: 'Date' },
  URL: { id: 5, name: 'Link' },
  USER: { id: 6, name: 'Users' },
  EXTERNAL_ACCOUNT: { id: 7, name: 'External account' },
  PRONOUNS: { id: 8, name: 'Pronouns' },
} as const;

/** Kinds of external accounts that a profile field can be created for by name. */
export const externalAccounts: Readonly<
  Record<string, { name: string; text: string; hint: string; url_pattern: string }>
> = {
  github: {
    name: 'GitHub username',
    text: 'GitHub',
    hint: 'Your name on GitHub',
    url_pattern: 'https://github.com/%(username)s',
  },
  gitlab: {
    name: 'GitLab username',
    text: 'GitLab',
    hint: 'Your name on GitLab',
    url_pattern: 'https://gitlab.com/%(username)s',
  },
};

/** A profile field of an organization, which its users can fill in. */
export const ProfileField = z.strictObject({
  id: z.int(),
  type: z.int(),
  name: z.string(),
  hint: z.string(),
  /** JSON text: the options of a list, or the kind of the external account. Empty for other types. */
  field_data: z.string(),
  order: z.int(),
  required: z.boolean(),
  editable_by_user: z.boolean(),
  display_in_profile_summary: z.literal(true).optional(),
});
export type ProfileField = z.infer<typeof ProfileField>;

/** A user's value of a profile field, with HTML if the field's type is rendered. */
export const ProfileValue = z.strictObject({ value: z.string(), rendered_value: z.string().optional() });
export type ProfileValue = z.infer<typeof ProfileValue>;
