import { connect } from '@parley/client';
import { signal } from '@preact/signals';

/** What GET /server_settings says of an organization to whoever has not signed in. */
export interface ServerSettings {
  realm_name: string;
  realm_icon: string;
  realm_description: string;
  realm_web_public_access_enabled: boolean;
  require_email_format_usernames: boolean;
  authentication_methods: Record<string, boolean>;
  external_authentication_methods: { name: string; display_name: string; login_url: string }[];
}

export const serverSettings = signal<ServerSettings | null>(null);

/** Asks once. */
export async function fetchServerSettings(): Promise<ServerSettings> {
  const settings =
    serverSettings.peek() ??
    (await connect({ baseUrl: '', credentials: 'none' }).get<ServerSettings>('/server_settings'));
  serverSettings.value = settings;
  return settings;
}
