import { getRealm, isOpenToSpectators, realmPictureUrl } from '@parley/model';
import { ApiError, versionFields } from '@parley/protocol';
import { z } from 'zod';

import { type RootContext, endpoint } from '../endpoint.ts';

/** Methods of logging in that clients know and the server does not have. */
const unavailableMethods = [
  'ldap',
  'remoteuser',
  'saml',
  'openid connect',
  'github',
  'gitlab',
  'azuread',
  'apple',
  'google',
];

/** The tests of some clients use this name for a program that is too old. */
const incompatibleClient = 'ZulipInvalid';

/** What is the same for all organizations of the server. */
const aboutServer = ({ client, isDevelopment }: Pick<RootContext, 'client' | 'isDevelopment'>) => ({
  authentication_methods: {
    password: true,
    dev: isDevelopment,
    email: true,
    ...Object.fromEntries(unavailableMethods.map((method) => [method, false])),
  },
  external_authentication_methods: [],
  ...versionFields,
  push_notifications_enabled: false,
  is_incompatible: client === incompatibleClient,
  email_auth_enabled: true,
  require_email_format_usernames: true,
});

/** The name of the calling program where it does not say one. */
const nameless = 'Unspecified';

const answerCompatibility = ({ client }: Pick<RootContext, 'client'>) => {
  if (client === nameless) throw new ApiError('BAD_REQUEST', 'User-Agent header missing from request');
  if (client === incompatibleClient) throw new ApiError('BAD_REQUEST', 'Client is too old');
  return Promise.resolve({});
};

export const serverRoutes = [
  endpoint({
    method: 'GET',
    path: '/compatibility',
    summary: 'Says whether the calling program is recent enough for the server.',
    since: null,
    errors: [],
    auth: 'none',
    params: {},
    returns: {},
    handleAtRoot: answerCompatibility,
    handle: answerCompatibility,
  }),

  endpoint({
    method: 'GET',
    path: '/server_settings',
    summary: 'Answers with what a client needs to know about server and organization before it logs in.',
    since: null,
    errors: [],
    auth: 'none',
    params: {},
    returns: {
      authentication_methods: z.record(z.string(), z.boolean()),
      external_authentication_methods: z.array(z.unknown()),
      svc_version: z.string(),
      svc_feature_level: z.int(),
      svc_merge_base: z.string(),
      zulip_version: z.string(),
      zulip_feature_level: z.int(),
      zulip_merge_base: z.string(),
      push_notifications_enabled: z.boolean(),
      is_incompatible: z.boolean(),
      email_auth_enabled: z.boolean(),
      require_email_format_usernames: z.boolean(),
      realm_url: z.string().optional(),
      realm_uri: z.string().optional(),
      realm_name: z.string().optional(),
      realm_icon: z.string().optional(),
      realm_description: z.string().optional(),
      realm_web_public_access_enabled: z.boolean().optional(),
    },
    handleAtRoot: (context) => Promise.resolve(aboutServer(context)),
    async handle({ realm, client, isDevelopment, snapshot }) {
      const [row, isOpen] = await snapshot(
        async (tx) => [await getRealm(tx, realm.id), await isOpenToSpectators(tx, realm.id)] as const,
      );
      return {
        ...aboutServer({ client, isDevelopment }),
        realm_url: realm.url,
        realm_uri: realm.url,
        realm_name: row.displayName,
        realm_icon: realmPictureUrl(row, 'icon'),
        realm_description: row.renderedDescription,
        realm_web_public_access_enabled: isOpen,
      };
    },
  }),
];
