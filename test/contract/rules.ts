/** What the contract says that no parameter, code or event shows, and what holds it: the test's file and its title. */
export type Rule = readonly [rule: string, file: string, title: string];

const edit = 'test/api/messages/edit.test.ts';
const events = 'test/api/events.test.ts';
const login = 'test/api/login.test.ts';
const moves = 'test/api/messages/move';
const polls = 'services/queue/src/core/polls.test.ts';
const queues = 'services/queue/src/queues/queues.test.ts';
const reactions = 'test/api/messages/reactions.test.ts';
const register = 'test/api/register.test.ts';
const send = 'test/api/messages/send.test.ts';
const subscriptions = 'test/api/channels/subscriptions.test.ts';
const topics = 'test/api/user-topics.test.ts';
const users = 'test/api/users.test.ts';

const longText = 'cuts a long topic and a long text, by characters and not by bytes';
const noChannel = 'refuses what no channel can be';
const resolves = 'puts a check mark before its name and says who did it; that is no move';

/** By the part of the contract that they stand in. */
export const rules: Readonly<Record<string, readonly Rule[]>> = {
  'States and transitions': [
    [
      'queue: registered by POST /register',
      register,
      'answers with a queue, its position, the versions and the state',
    ],
    [
      'queue: registered by GET /events',
      events,
      'a poll without queue_id registers a queue that hears from here on',
    ],
    ['queue: a poll restarts its timer', queues, 'a poll that begins or ends starts the idle time anew'],
    [
      'queue: collected after 10 minutes',
      queues,
      'a queue that idles is forgotten after its time, here and in the registry',
    ],
    [
      'queue: refused once collected',
      events,
      'a queue of somebody else and one that does not exist are refused alike',
    ],
    ['topic: resolved', `${moves}/follow-up.test.ts`, resolves],
    [
      'topic: resolving needs a permission',
      `${moves}/follow-up.test.ts`,
      'has no time limit, and a permission of its own',
    ],
    [
      'topic: unresolved',
      `${moves}/follow-up.test.ts`,
      'is taken back within a minute as if nothing had been said, and later with another notice',
    ],
    ['topic: muted, unmuted, muted again', topics, 'mutes and unmutes, by id or by name, however often'],
    [
      'reaction: removed',
      reactions,
      'removes the caller’s own, and tells of it by the name under which it was added',
    ],
    ['reaction: absent', reactions, 'refuses what is no emoji, and what names none'],
    ['role: owners', users, 'owners are made and unmade by owners, and one is left'],
    ['role: any other', users, 'changes a role: groups, channels and permissions follow in order'],
    [
      'scheduled message: a failed one needs a new time',
      'test/worker/scheduled/deliver.test.ts',
      'stays as failed; its author is told why, gives it a new time, and it is sent',
    ],
  ],
  'Rules of PATCH /messages': [
    ['content and channel not at once', edit, 'is refused where it makes no sense'],
    ['who may edit', edit, 'is for its sender alone, and for a while'],
    [
      'who may move between topics',
      `${moves}/topic.test.ts`,
      'is for those who may, and for a week, except for moderators',
    ],
    [
      'who may move between channels',
      `${moves}/channel.test.ts`,
      'is for those who may move out and may write where they move to',
    ],
    [
      'parts of a topic too old',
      `${moves}/topic.test.ts`,
      'says where a topic can be cut when parts of it are too old to move',
    ],
    [
      'counts in protected history',
      `${moves}/channel.test.ts`,
      'moving from a channel with protected history moves what the mover can see, and counts no more',
    ],
    ['prev_content_sha256', edit, 'is refused when the client has not seen what is there'],
  ],
  Limits: [
    ['queue inactivity', queues, 'a queue that idles is forgotten after its time, here and in the registry'],
    [
      'heartbeat, blocking GET /events',
      polls,
      'Q6: is answered with one heartbeat that moves the cursor over what was filtered out',
    ],
    [
      'partial subscribers: fewer than 250, active users, bots',
      subscriptions,
      'is listed whole, or of large channels as far as people were here lately',
    ],
    [
      'presence_history_limit_days',
      'test/api/presence.test.ts',
      'tells of the last days only, as many as are wanted',
    ],
    ['length of a message', send, longText],
    ['length of a topic', send, longText],
    ['name and description of a channel', 'test/api/channels/create.test.ts', noChannel],
    ['editing time', edit, 'is for its sender alone, and for a while'],
    [
      'moving time, within a channel',
      `${moves}/topic.test.ts`,
      'is for those who may, and for a week, except for moderators',
    ],
    ['moving time, between channels', `${moves}/channel.test.ts`, 'has a time limit of its own'],
    [
      'e-mail batching',
      'test/worker/missed-messages.test.ts',
      'are told of by mail after two minutes, those of a conversation together, once',
    ],
    ['NUL in drafts', 'test/api/drafts.test.ts', 'are created all or none, and of none nothing is told'],
    [
      'size of an export',
      'test/api/exports.test.ts',
      'an export of another type, of an organization that is too large, or asked for too often is refused',
    ],
  ],
  Authentication: [
    ['HTTP Basic', login, 'are asked for in the documented order'],
    ['keys for passwords', login, 'gives the key for the password, whatever the case of the address'],
    [
      'server settings for anyone',
      'test/api/server.test.ts',
      'tells anyone what the server is, without credentials',
    ],
    [
      'register without an account',
      'test/api/spectators.test.ts',
      'the state is that of the channels that are open, without a queue',
    ],
    ['administrators alone', 'test/laws/access/access.test.ts', 'PATCH /users/:user, another’s name'],
    [
      'addresses by permitted owners',
      users,
      'a new address takes the place of the old one in everything, the credentials first',
    ],
    [
      'the token of an outgoing webhook',
      'test/worker/outgoing-webhooks/triggers.test.ts',
      'its token for ever, whatever else changes',
    ],
    ['group-setting values', 'test/laws/rules.test.ts', ''],
  ],
};
