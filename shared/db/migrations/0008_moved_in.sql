-- What came into a channel from elsewhere: where history is protected, its topics are listed by what one received.
create index message_moves_channel on message_moves (channel_id) where prev_channel_id <> channel_id;
