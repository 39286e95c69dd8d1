-- A message is appended under the lock of the log's head, where nothing may be waited for: that its sender and its
-- conversation exist was decided by its plan, and neither is ever deleted. Checking it again locked their rows, for each
-- message.
alter table messages
  drop constraint messages_sender_id_fkey,
  drop constraint messages_conversation_id_fkey;
