-- online
/*
  Channels with a retention time of their own are few among all: what deletes old messages finds them here, and looks at all
  channels only of organizations that keep messages for a time.
*/

create index concurrently channels_retained on channels (realm_id, id) where message_retention_days > 0;
