/** What a feature level changed for programs, and the operations that it changed. */
interface Change {
  level: number;
  change: string;
  operations: readonly string[];
}

const send = 'POST /messages';
const edit = 'PATCH /messages/:message_id';
const register = 'POST /register';
const events = 'GET /events';

/** The changes of feature levels that this interface knows, beside the endpoints that came with one. */
export const changes: readonly Change[] = [
  {
    level: 1,
    change:
      'Messages move to another channel by `stream_id`; `topic_links` took the place of `subject_links`.',
    operations: [edit, events],
  },
  {
    level: 2,
    change: 'Reactions name who reacted by `user_id`; `reaction_type` may be left out for custom emoji.',
    operations: ['POST /messages/:message_id/reactions', 'DELETE /messages/:message_id/reactions', events],
  },
  {
    level: 8,
    change: 'Roles are values of `role`; before, there were booleans for administrators and guests.',
    operations: ['PATCH /users/:user', 'GET /users/me'],
  },
  {
    level: 9,
    change: '`send_notification_to_old_thread` and `send_notification_to_new_thread` were added.',
    operations: [edit],
  },
  {
    level: 13,
    change: 'With the capability `bulk_message_deletion`, one event says that several messages are gone.',
    operations: [register, events],
  },
  {
    level: 54,
    change: 'Linkifiers are objects; before, they were tuples of filters.',
    operations: ['GET /realm/linkifiers'],
  },
  {
    level: 80,
    change: 'All settings of an account are changed by this one endpoint.',
    operations: ['PATCH /settings'],
  },
  {
    level: 89,
    change:
      'Settings have events of type `user_settings`; those of older types go to clients without the capability `user_settings_object`.',
    operations: [register, events],
  },
  {
    level: 152,
    change:
      '`send_notification_to_old_thread` is false unless it is sent, and the notices apply within a channel, too.',
    operations: [edit],
  },
  { level: 162, change: 'Moving messages has time limits.', operations: [edit] },
  {
    level: 167,
    change: 'Replies name parameters that the endpoint does not know in `ignored_parameters_unsupported`.',
    operations: [],
  },
  {
    level: 170,
    change: 'Deprecated in favour of `POST /user_topics`.',
    operations: ['PATCH /users/me/subscriptions/muted_topics'],
  },
  {
    level: 172,
    change: 'A move that comes too late is refused with `MOVE_MESSAGES_TIME_LIMIT_EXCEEDED`.',
    operations: [edit],
  },
  {
    level: 174,
    change: '`direct` took the place of `private` as the type of direct messages.',
    operations: [send],
  },
  {
    level: 176,
    change:
      '`url_template` took the place of `url_format`; clients say by `linkifier_url_template` that they know it.',
    operations: ['GET /realm/linkifiers', register, events],
  },
  {
    level: 184,
    change: 'Scheduled messages are edited by an endpoint of their own.',
    operations: ['PATCH /scheduled_messages/:scheduled_message_id'],
  },
  {
    level: 193,
    change: 'A reaction that does not exist is refused with `REACTION_DOES_NOT_EXIST`.',
    operations: ['DELETE /messages/:message_id/reactions'],
  },
  {
    level: 201,
    change:
      'The trigger of outgoing webhooks for direct messages is called `direct_message`; before, `private_message`.',
    operations: [],
  },
  {
    level: 229,
    change: 'Mentions of everyone are refused with codes of their own.',
    operations: [send, edit],
  },
  { level: 248, change: '`channel` may be sent for `stream`.', operations: [send] },
  { level: 304, change: '`export_type` was added.', operations: ['POST /export/realm'] },
  { level: 334, change: 'Topics may be empty.', operations: [send, edit, 'GET /messages'] },
  {
    level: 367,
    change: 'Who may resolve topics is said by the permission `can_resolve_topics_group`.',
    operations: [edit, 'PATCH /realm'],
  },
  { level: 370, change: '`(no topic)` is read as the empty topic.', operations: [send, edit] },
  {
    level: 379,
    change: '`prev_content_sha256` was added: an edit is refused if somebody else was quicker.',
    operations: [edit],
  },
  {
    level: 412,
    change: '`include_subscribers` may be `partial`.',
    operations: [register, 'GET /users/me/subscriptions'],
  },
];

/** Returns the changes that concern an operation, given as in the list of endpoints. */
export const changesOf = (operation: string): readonly Change[] =>
  changes.filter(({ operations }) => operations.includes(operation));
