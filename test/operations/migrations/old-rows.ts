/** Two realms with two messages each, and a row of everything that refers to one. Ids of messages are 1 to 4. */
export const rows = `
  insert into realms (name, display_name) values ('a', 'A'), ('b', 'B');
  insert into users (realm_id, email, full_name, role) select id, name || '@x', name, 400 from realms order by id;
  insert into realm_heads (realm_id) select id from realms;
  insert into conversations (realm_id) select id from realms order by id;
  insert into channels (realm_id, conversation_id, name, group_settings) select realm_id, id, 'news', '{}' from conversations;
  insert into topics (channel_id, name) select id, 't' from channels order by id;
  insert into audiences (realm_id, members, size) select id, '\\x3a30000000000000', 0 from realms order by id;
  insert into conversation_heads (conversation_id, audience_id, ordinal) select id, id, 2 from conversations;
  insert into conversation_members (conversation_id, user_id, received) select id, id, '{[1,)}' from conversations;
  insert into messages (id, realm_id, conversation_id, ordinal, channel_id, topic_id, sender_id, sent_at, content,
      rendered_content, client)
    select nextval('message_ids'), n, n, o, n, n, n, now(), 'x', 'x', 'test'
    from generate_series(1, 2) o, generate_series(1, 2) n order by o, n;
  update conversation_heads h set first_message_id = (select min(id) from messages where conversation_id = h.conversation_id);
  insert into message_flags (user_id, message_id, starred) select sender_id, id, true from messages;
  insert into message_edits (message_id, user_id, edited_at, prev_content, prev_rendered_content)
    select id, sender_id, now(), 'y', 'y' from messages;
  insert into reactions (message_id, user_id, emoji_name, emoji_code, reaction_type)
    select id, sender_id, 'a', 'b', 'c' from messages;
  insert into submessages (message_id, sender_id, type, content) select id, sender_id, 'widget', '{}' from messages;
  insert into attachments (realm_id, owner_id, path_id, name, content_type, size)
    select realm_id, sender_id, id, 'n', 't', 1 from messages order by id;
  insert into message_attachments (message_id, attachment_id) select id, id from messages;
  insert into webhook_deliveries (realm_id, bot_id, message_id, conversation_id, trigger, queued_at)
    select realm_id, sender_id, id, conversation_id, 't', now() from messages;
  insert into pending_notifications (realm_id, user_id, message_id, kind, due_at, expires_at)
    select realm_id, sender_id, id, 'mail', now(), now() from messages;
  insert into pushed_messages (realm_id, user_id, message_id, pushed_at)
    select realm_id, sender_id, id, now() from messages;
  insert into archived_messages (id, realm_id, deleted_at, message) select id + 100, realm_id, now(), '{}' from messages;
  insert into reminders (user_id, message_id, note, content, rendered_content, due_at)
    select sender_id, id, '', '', '', now() from messages order by id;
  insert into message_moves (realm_id, user_id, moved_at, message_ids, prev_channel_id, channel_id, prev_topic, topic, is_resolving)
    select realm_id, sender_id, now(), int4multirange(int4range(id, id + 1)), 1, 1, 'a', 'b', false from messages;
  insert into notification_cursors (realm_id, seq, message_id) select realm_id, 0, max(id) from messages group by 1;
  insert into drafts (user_id, type, recipients, topic, content, edited_at) select id, '', '{}', '', '', now() from users;
  insert into scheduled_messages (user_id, type, recipients, topic, content, rendered_content, client, read_by_sender, due_at)
    select id, 'private', '{}', '', '', '', '', true, now() from users order by id;
  insert into scheduled_message_attachments (scheduled_message_id, attachment_id) select id, id from scheduled_messages;
`;

/** What append_to_log takes for a message to the conversation of a realm, with what else the message and its event have. */
export const pendingMessage = (realm: number, message: object = {}, event: object = {}): string =>
  JSON.stringify([
    {
      event: { type: 'message', message: { sender_id: realm } },
      conversations: [realm],
      ...event,
      message: {
        conversationId: realm,
        channelId: realm,
        topicId: realm,
        senderId: realm,
        content: 'x',
        renderedContent: 'x',
        renderedVersion: 1,
        client: 'test',
        readBy: [realm],
        has: { link: false, image: false, attachment: false },
        ...message,
      },
    },
  ]);
