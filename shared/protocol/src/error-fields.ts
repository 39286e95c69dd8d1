import { z } from 'zod';

/** Fields that a response with an error code must have beside `code` and `msg`. */
export const errorFields = {
  CSRF_FAILED: z.object({ reason: z.string() }),
  STREAM_DOES_NOT_EXIST: z.union([z.object({ stream: z.string() }), z.object({ stream_id: z.int() })]),
  REQUEST_VARIABLE_MISSING: z.object({ var_name: z.string() }),
  REQUEST_CONFUSING_VAR: z.object({ var_name1: z.string(), var_name2: z.string() }),
  RATE_LIMIT_HIT: z.object({ 'retry-after': z.number() }),
  EXPECTATION_MISMATCH: z.object({ field_name: z.string() }),
  CANNOT_DEACTIVATE_GROUP_IN_USE: z.object({ objections: z.array(z.custom<object>()) }),
  CANNOT_DEACTIVATE_LAST_USER: z.object({ is_last_owner: z.boolean(), entity: z.string() }),
  INVITATION_FAILED: z.object({
    errors: z
      .array(z.tuple([z.string(), z.string(), z.boolean()]))
      .describe('Each address that is not invited, why, and whether it is that of a deactivated account.'),
    sent_invitations: z.boolean(),
    license_limit_reached: z.boolean(),
    daily_limit_reached: z.boolean(),
  }),
  REQUEST_VARIABLE_INVALID: z.object({ var_name: z.string(), bad_value: z.string() }),
  SYSTEM_GROUP_REQUIRED: z.object({ setting_name: z.string() }),
  CHANNEL_ALREADY_EXISTS: z.object({ channel_name: z.string() }),
  ANOMALOUS_WEBHOOK_PAYLOAD: z.object({ webhook_name: z.string() }),
  MISSING_HTTP_EVENT_HEADER: z.object({ header: z.string() }),
  BAD_NARROW: z.object({ desc: z.string() }),
  BAD_EVENT_QUEUE_ID: z.object({ queue_id: z.string() }),
  MOVE_MESSAGES_TIME_LIMIT_EXCEEDED: z.object({
    first_message_id_allowed_to_move: z.int().nullable(),
    total_messages_in_topic: z.int(),
    total_messages_allowed_to_move: z.int(),
  }),
};

export type ErrorFields = { [Code in keyof typeof errorFields]: z.input<(typeof errorFields)[Code]> };
