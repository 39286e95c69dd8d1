import { z } from 'zod';

const common = {
  id: z.int(),
  invited_by_user_id: z.int(),
  invited: z.int(),
  expiry_date: z.int().nullable(),
  invited_as: z.int(),
};

/** An invitation: to an email address, or by a link that anybody may use. */
export const Invite = z.discriminatedUnion('is_multiuse', [
  z.strictObject({
    ...common,
    is_multiuse: z.literal(false),
    email: z.string(),
    notify_referrer_on_join: z.boolean(),
  }),
  z.strictObject({ ...common, is_multiuse: z.literal(true), link_url: z.string() }),
]);
export type Invite = z.infer<typeof Invite>;
