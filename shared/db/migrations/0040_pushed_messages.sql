-- Finds who was pushed a message that is deleted.
create index pushed_messages_of_message on pushed_messages (message_id);
