-- Its value is the moment at which the server was started that has left out ids last, in microseconds since 1970.
create sequence skipped_ids;
