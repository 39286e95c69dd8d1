-- The day on which each user was last sent a digest.
create table digests (
  user_id int primary key references users,
  sent_on date not null
);
