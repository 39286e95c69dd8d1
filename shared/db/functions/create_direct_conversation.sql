-- Creates the conversation of a set of people with its head and its members, unless there is one. Nobody sees it without them.
create or replace function create_direct_conversation(p_realm int, p_people int[]) returns void language plpgsql as $$
declare
  made bigint;
begin
  insert into conversations (realm_id, people) values (p_realm, p_people)
    on conflict (realm_id, people) do nothing returning id into made;
  if made is null then
    return;
  end if;
  perform create_conversation_head(p_realm, made);
  insert into conversation_members (realm_id, conversation_id, user_id, received)
    select p_realm, made, person, '{[1,)}' from unnest(p_people) person;
end
$$;
