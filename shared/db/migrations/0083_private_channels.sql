-- online
/*
  Each page of messages and each registration asks which private channels somebody may read without being subscribed, and
  looked through all channels of the organization for them.
*/

create index concurrently channels_private on channels (realm_id) where is_private;
