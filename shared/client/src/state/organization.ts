import { type Reducers, get, setOwn } from './reducers.ts';

/** The reducers of the organization. */
export const organization: Reducers = {
  'realm update'(state, { property, value }, changes) {
    setOwn(state, changes, { [`realm_${property}`]: value });
    if (property === 'jitsi_server_url') setOwn(state, changes, { jitsi_server_url: value });
  },

  'realm update_dict'(state, { data }, changes) {
    for (const [property, value] of Object.entries(data)) {
      setOwn(state, changes, { [`realm_${property}`]: value });
    }
    const methods = state.own['realm_authentication_methods'] as Record<string, { enabled: boolean }>;
    setOwn(state, changes, {
      realm_email_auth_enabled: methods['Email']?.enabled,
      realm_password_auth_enabled: methods['Email']?.enabled || methods['LDAP']?.enabled,
    });
  },

  'realm_user_settings_defaults update'(state, { property, value }, changes) {
    const defaults = { ...state.own.realm_user_settings_defaults, [property]: value };
    setOwn(state, changes, { realm_user_settings_defaults: defaults });
  },

  custom_profile_fields(state, { fields }, changes) {
    setOwn(state, changes, { custom_profile_fields: fields });
    const fieldIds = new Set(fields.map(({ id }) => String(id)));
    // With a field goes what was said in it.
    for (const slice of ['users', 'nonActiveUsers'] as const) {
      for (const [id, user] of state[slice]) {
        const said = Object.entries(user.profile_data ?? {});
        const kept = said.filter(([field]) => fieldIds.has(field));
        if (kept.length === said.length) continue;
        state[slice].set(id, { ...user, profile_data: Object.fromEntries(kept) });
        changes.slices.add(slice);
      }
    }
  },

  default_streams(state, { default_streams }, changes) {
    setOwn(state, changes, { realm_default_streams: default_streams });
  },

  default_stream_groups(state, { default_stream_groups }, changes) {
    setOwn(state, changes, { realm_default_stream_groups: default_stream_groups });
  },

  'realm_domains add'(state, { realm_domain }, changes) {
    setOwn(state, changes, { realm_domains: [...state.own.realm_domains, realm_domain] });
  },

  'realm_domains change'(state, { realm_domain }, changes) {
    const changed = state.own.realm_domains.map((one) =>
      one.domain === realm_domain.domain ? { ...one, ...realm_domain } : one,
    );
    setOwn(state, changes, { realm_domains: changed });
  },

  'realm_domains remove'(state, { domain }, changes) {
    setOwn(state, changes, { realm_domains: state.own.realm_domains.filter((one) => one.domain !== domain) });
  },

  'channel_folder add'(state, { channel_folder }, changes) {
    setOwn(state, changes, { channel_folders: [...state.own.channel_folders, channel_folder] });
  },

  'channel_folder update'(state, { channel_folder_id, data }, changes) {
    const changed = state.own.channel_folders.map((one) =>
      one.id === channel_folder_id ? { ...one, ...data } : one,
    );
    setOwn(state, changes, { channel_folders: changed });
  },

  'channel_folder reorder'(state, { order }, changes) {
    const folders = new Map(state.own.channel_folders.map((folder) => [folder.id, folder]));
    const ordered = order.map((id, position) => ({ ...get(folders, id), order: position }));
    setOwn(state, changes, { channel_folders: ordered });
  },

  'realm_bot add'(state, { bot }, changes) {
    const others = state.own.realm_bots.filter(({ user_id }) => user_id !== bot.user_id);
    setOwn(state, changes, { realm_bots: [...others, bot].sort((a, b) => a.user_id - b.user_id) });
  },

  'realm_bot update'(state, { bot }, changes) {
    const bots = state.own.realm_bots;
    if (!bots.some(({ user_id }) => user_id === bot.user_id)) {
      throw new Error(`The client does not know bot ${bot.user_id}.`);
    }
    const changed = bots.map((one) => (one.user_id === bot.user_id ? { ...one, ...bot } : one));
    setOwn(state, changes, { realm_bots: changed });
  },

  'realm_bot delete'(state, { bot }, changes) {
    const left = state.own.realm_bots.filter(({ user_id }) => user_id !== bot.user_id);
    setOwn(state, changes, { realm_bots: left });
  },
};
