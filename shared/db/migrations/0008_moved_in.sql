-- Finds messages that were moved into a channel. Where history is protected, a user's topics are those of the
-- messages that the user received.
create index message_moves_channel on message_moves (channel_id) where prev_channel_id <> channel_id;
