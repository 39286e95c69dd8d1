import { catalogue } from './catalogue.ts';
import { icu } from './texts.ts';

/** What the server's bots write, in Markdown. Values are mentions, links and names as they stand in a message. */
export const noticeText = catalogue('notice', {
  channel: {
    topic: 'channel events',
    topicNew: 'new channels',
    created: icu('{who} created this channel. **{privacy}.**', 'who', 'privacy'),
    announced: icu(
      '{count, plural, one {{who} created the channel {channels}.} other {{who} created these channels: {channels}.}}',
      'count',
      'who',
      'channels',
    ),
    subscribed: icu('{who} subscribed you to the channel {channel}.', 'who', 'channel'),
    subscribedToMany: icu('{who} subscribed you to these channels:', 'who'),
    archived: 'This channel has been archived.',
    restored: 'This channel has been restored from the archive.',
    description: icu('{who} changed the description of this channel.', 'who'),
    old: '**Old:**',
    new: '**New:**',
    noDescription: '*No description.*',
    retention: icu(
      '{who} changed how long messages are kept in this channel from **{before}** to **{after}**.',
      'who',
      'before',
      'after',
    ),
    retentionDefault: "the organization's default",
    retentionForever: 'forever',
    retentionDays: icu('{days, plural, one {# day} other {# days}}', 'days'),
    renamed: icu('{who} renamed this channel from **{before}** to **{after}**.', 'who', 'before', 'after'),
    posting: icu('{who} changed who can post in this channel.', 'who'),
    access: icu(
      '{who} changed the access to this channel from **{before}** to **{after}**.',
      'who',
      'before',
      'after',
    ),
    privacy: {
      web: 'Web-public',
      public: 'Public',
      shared: 'Private, shared history',
      protected: 'Private, protected history',
    },
  },
  topic: {
    resolved: icu('{who} has marked this topic as resolved.', 'who'),
    unresolved: icu('{who} has marked this topic as unresolved.', 'who'),
    movedTo: icu('This topic was moved to {place} by {who}.', 'place', 'who'),
    movedFrom: icu('This topic was moved here from {place} by {who}.', 'place', 'who'),
    messagesMovedTo: icu(
      '{count, plural, one {A message was} other {# messages were}} moved from this topic to {place} by {who}.',
      'count',
      'place',
      'who',
    ),
    messageMovedFrom: icu(
      '[A message]({address}) was moved here from {place} by {who}.',
      'address',
      'place',
      'who',
    ),
    messagesMovedFrom: icu(
      '{count, plural, one {# message was} other {# messages were}} moved here from {place} by {who}.',
      'count',
      'place',
      'who',
    ),
  },
  account: {
    topic: 'signups',
    joined: icu('{who} has joined the organization.', 'who'),
    accepted: icu('{who} accepted your invitation.', 'who'),
    added: icu('{who} added you to the group {group}.', 'who', 'group'),
    removed: icu('{who} removed you from the group {group}.', 'who', 'group'),
    exported: icu('Your export is ready: [download it]({address}) within a week.', 'address'),
  },
  welcome: {
    greeting: icu('Welcome to {organization}!', 'organization'),
    topics:
      'Every message belongs to a channel, and in it to a topic. Read the topics that concern you, and skip the rest. Nobody else can read this conversation, so feel free to try things out here.',
    note: 'A note from your administrators:',
  },
  report: {
    topic: icu("{name}'s moderation requests", 'name'),
    reported: icu('{who} reported [a message]({address}) by {sender}.', 'who', 'address', 'sender'),
    reportedDirect: icu('{who} reported a direct message by {sender}.', 'who', 'sender'),
    reason: icu('**Reason:** {reason}', 'reason'),
    reasons: {
      spam: 'Spam',
      harassment: 'Harassment',
      inappropriate: 'Inappropriate content',
      norms: "Breaks the community's rules",
      other: 'Other reason',
    },
    message: 'Message',
  },
  reminder: {
    asked: icu('You asked to be reminded of [a message]({address}).', 'address'),
    askedOf: icu('You asked to be reminded of [a message]({address}) by {sender}.', 'address', 'sender'),
    askedOfLost:
      'You asked to be reminded of a message that has been deleted, or that you can no longer read.',
    note: 'Your note:',
    message: 'The message:',
  },
  scheduled: {
    failed: icu('Your message scheduled for {time} was not sent: {reason}', 'time', 'reason'),
    reschedule: 'You can edit and reschedule it in your [scheduled messages](#scheduled).',
  },
});

/** The same in one language. */
export type NoticeTexts = Awaited<ReturnType<typeof noticeText>>;
