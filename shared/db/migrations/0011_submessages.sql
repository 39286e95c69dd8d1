create table submessages (
  id int generated always as identity primary key,
  message_id int not null references messages on delete cascade,
  sender_id int not null references users,
  type text not null,
  content text not null
);
create index submessages_message on submessages (message_id, id);
