import { z } from 'zod';

import type { Client } from '../client.ts';
import { User, presentUnknown, unknownUser } from '../objects/user.ts';
import { type WireEvent, eventFamily } from './family.ts';

const user_id = z.int();

/** One thing about a user that changed. Clients tell the forms apart by their fields. */
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

/** Users whom those who hear of it may not see. */
const unseen = { user_ids: z.array(z.int()), realm_host: z.string() };

const add = (person: User): WireEvent => ({ type: 'realm_user', op: 'add', person });

/** Clients that keep everyone in their list are told that there is somebody. */
const addUnknown = ({ user_ids, realm_host }: { user_ids: number[]; realm_host: string }, client: Client) =>
  client.user_list_incomplete ? [] : user_ids.map((id) => add(presentUnknown(id, realm_host)));

/**
 * Users appeared, changed, or went out of sight. Sent to everyone who may see them; of those who appear somewhere, to
 * those who may not there is one entry for all of them (`unknown`).
 */
export const realmUser = eventFamily(
  'realm_user',
  {
    add: { people: z.array(User).optional(), unknown: z.strictObject(unseen).optional() },
    update: { person: Change },
    remove: unseen,
  },
  {
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
      const gone = user_ids.map((user_id) => ({ type, op, person: { user_id, full_name } }));
      return [...gone, ...addUnknown(event, client)];
    },
  },
);
