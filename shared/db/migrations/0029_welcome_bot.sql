-- The bot that greets new accounts, for realms that exist already; new realms are created with it. Role 400 is a member,
-- bot type 1 a generic bot.
insert into users (realm_id, email, full_name, role, bot_type, is_system)
  select id, 'welcome-bot@' || name || '.invalid', 'Welcome Bot', 400, 1, true from realms;
