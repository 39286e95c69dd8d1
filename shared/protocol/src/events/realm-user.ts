import { z } from 'zod';

import type { Client } from '../client.ts';
import { User, presentUnknown, unknownUser } from '../objects/user.ts';
import { type WireEvent, eventFamily, sentEvent } from './family.ts';

const user_id = z.int();

/** One property of a user that changed. Clients tell the forms apart by their fields. */
const Change = z.union([
  z.strictObject({ user_id, full_name: z.string() }),
  z.strictObject({ user_id, role: z.int() }),
  z.strictObject({ user_id, bot_owner_id: z.int() }),
  z.strictObject({ user_id, is_active: z.boolean() }),
  z.strictObject({
    user_id,
    avatar_source: z.enum(['G', 'U']),
    avatar_url: z.string(),
    avatar_url_medium: z.string(),
    avatar_version: z.int(),
  }),
  z.strictObject({ user_id, email: z.string(), timezone: z.string() }),
  z.strictObject({ user_id, delivery_email: z.string().nullable() }),
  z.strictObject({ user_id, new_email: z.string() }),
  z.strictObject({
    user_id,
    custom_profile_field: z.strictObject({
      id: z.int(),
      value: z.string().nullable(),
      rendered_value: z.string().optional(),
    }),
  }),
]);
export type UserChange = z.infer<typeof Change>;

/** Users to whom the recipients of the event have no access. */
const inaccessibleUsers = { user_ids: z.array(z.int()), realm_host: z.string() };

const add = (person: User): WireEvent => ({ type: 'realm_user', op: 'add', person });

/** Clients that expect every user in their list are sent a placeholder for a user without access. */
const addUnknown = ({ user_ids, realm_host }: { user_ids: number[]; realm_host: string }, client: Client) =>
  client.user_list_incomplete ? [] : user_ids.map((id) => add(presentUnknown(id, realm_host)));

/**
 * Users were added or changed, or became inaccessible. Sent to everyone who has access to them. When users are added,
 * those without access to them get one entry for all of them (`unknown`).
 */
export const realmUser = eventFamily(
  'realm_user',
  {
    add: { people: z.array(User).optional(), unknown: z.strictObject(inaccessibleUsers).optional() },
    update: { person: Change },
    remove: inaccessibleUsers,
  },
  {
    sent: [
      sentEvent('realm_user', { op: z.literal('add'), person: User }),
      sentEvent('realm_user', { op: z.literal('update'), person: Change }),
      sentEvent('realm_user', {
        op: z.literal('remove'),
        person: z.strictObject({ user_id, full_name: z.string() }),
      }),
    ],
    countMax(event) {
      if (event.op === 'update') return 1;
      if (event.op === 'remove') return 2 * event.user_ids.length;
      return (event.people?.length ?? 0) + (event.unknown?.user_ids.length ?? 0);
    },
    forClient(event, client) {
      if (event.op === 'update') return [event];
      if (event.op === 'add') {
        return [
          ...(event.people ?? []).map(add),
          ...(event.unknown ? addUnknown(event.unknown, client) : []),
        ];
      }
      const { type, op, user_ids } = event;
      const { full_name } = unknownUser;
      const removals = user_ids.map((user_id) => ({ type, op, person: { user_id, full_name } }));
      return [...removals, ...addUnknown(event, client)];
    },
  },
);
