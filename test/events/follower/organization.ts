import type { Json } from '../../support/index.ts';
import { type Reducers } from './state.ts';

/** What holds for the whole organization. */
export const organization: Reducers = {
  'realm update'({ own }, { property, value }) {
    own[`realm_${property}`] = value;
    if (property === 'jitsi_server_url') own.jitsi_server_url = value;
  },

  'realm update_dict'({ own }, { data }) {
    for (const [property, value] of Object.entries(data)) own[`realm_${property}`] = value;
    const { Email, LDAP } = own.realm_authentication_methods;
    own.realm_email_auth_enabled = Email.enabled;
    own.realm_password_auth_enabled = Email.enabled || LDAP.enabled;
  },

  'realm_user_settings_defaults update'({ own }, { property, value }) {
    own.realm_user_settings_defaults[property] = value;
  },

  custom_profile_fields({ own, users, nonActiveUsers }, { fields }) {
    own.custom_profile_fields = fields;
    const fieldIds = new Set(fields.map(({ id }: Json) => String(id)));
    for (const user of [...Object.values(users), ...Object.values(nonActiveUsers)]) {
      // With a field goes what was said in it.
      for (const id of Object.keys(user.profile_data ?? {}))
        if (!fieldIds.has(id)) delete user.profile_data[id];
    }
  },

  default_streams({ own }, { default_streams }) {
    own.realm_default_streams = default_streams;
  },

  default_stream_groups({ own }, { default_stream_groups }) {
    own.realm_default_stream_groups = default_stream_groups;
  },

  'realm_domains add'({ own }, { realm_domain }) {
    own.realm_domains.push(realm_domain);
  },

  'realm_domains change'({ own }, { realm_domain }) {
    const known = own.realm_domains.find(({ domain }: Json) => domain === realm_domain.domain);
    Object.assign(known, realm_domain);
  },

  'realm_domains remove'({ own }, { domain }) {
    own.realm_domains = own.realm_domains.filter((known: Json) => known.domain !== domain);
  },

  'channel_folder add'({ own }, { channel_folder }) {
    own.channel_folders.push(channel_folder);
  },

  'channel_folder update'({ own }, { channel_folder_id, data }) {
    Object.assign(
      own.channel_folders.find(({ id }: Json) => id === channel_folder_id),
      data,
    );
  },

  'channel_folder reorder'({ own }, { order }) {
    own.channel_folders = order.map((id: number, position: number) => ({
      ...own.channel_folders.find((folder: Json) => folder.id === id),
      order: position,
    }));
  },
};
