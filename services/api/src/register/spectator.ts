import * as model from '@parley/model';
import { ApiError, type Channel, type Client, fullUserSettings, subscriptionFor } from '@parley/protocol';

import type { Registration } from './registration.ts';

/** Refuses the parameters that would show a spectator email addresses (by Gravatar) or subscribers. */
export function assertAllowedForSpectators({ client, includeSubscribers }: Registration): void {
  const refuse = (name: string) =>
    new ApiError('BAD_REQUEST', `The parameter '${name}' is not available without an account.`);
  if (client.client_gravatar) throw refuse('client_gravatar');
  if (includeSubscribers !== 'false') throw refuse('include_subscribers');
}

type State = Record<string, unknown>;

interface Spectator {
  client: Client;
  emailDomain: string;
}

/** What somebody has set who has set nothing. */
const uncustomized = {
  color: '#c2c2c2',
  is_muted: false,
  in_home_view: true,
  pin_to_top: false,
  desktop_notifications: null,
  audible_notifications: null,
  push_notifications: null,
  email_notifications: null,
  wildcard_mentions_notify: null,
};

const newAccountSettings = model.channels.inheritedSettings(fullUserSettings({}));

/** The fields of the state that spectators get differently. Each function answers with the fields instead. */
const replacements: Record<string, (value: never, state: State, spectator: Spectator) => State> = {
  // Spectators get web-public channels as subscriptions, because clients display nothing else.
  never_subscribed: (channels: Channel[], _, { client }) => ({
    subscriptions: channels.map((channel) =>
      subscriptionFor({ ...channel, ...uncustomized }, newAccountSettings, client),
    ),
    unsubscribed: [],
    never_subscribed: [],
  }),
  streams: () => ({}),
  realm_allow_message_editing: () => ({ realm_allow_message_editing: false }),
  realm_presence_disabled: () => ({ realm_presence_disabled: true }),
  realm_default_streams: () => ({ realm_default_streams: [] }),
  realm_default_stream_groups: () => ({ realm_default_stream_groups: [] }),
  custom_profile_fields: () => ({ custom_profile_fields: [] }),
  presences: () => ({ presences: {} }),
  presence_last_update_id: () => ({}),
  user_status: () => ({ user_status: {} }),
  channel_folders: (folders: { id: number }[], state) => ({
    channel_folders: folders.filter(({ id }) => foldersOf(state).has(id)),
  }),
};

function foldersOf({ never_subscribed }: State): Set<unknown> {
  const channels = Array.isArray(never_subscribed)
    ? (never_subscribed as { folder_id?: number | null }[])
    : [];
  return new Set(channels.map(({ folder_id }) => folder_id));
}

/** Returns the state as spectators get it. */
export function spectatorState(state: State, spectator: Spectator): State {
  const hidden = new Set(['subscriptions', 'unsubscribed']);
  const parts = Object.entries(state).map(([name, value]): State => {
    if (hidden.has(name)) return {};
    const replace = replacements[name];
    return replace ? replace(value as never, state, spectator) : { [name]: value };
  });
  return Object.assign({}, ...parts) as State;
}
