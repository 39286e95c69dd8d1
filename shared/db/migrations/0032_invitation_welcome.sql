-- What the welcome bot adds for those who accept it; null for the organization's own text.
alter table invitations add column welcome_text text;
