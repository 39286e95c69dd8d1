import * as model from '@parley/model';
import { ApiError, type AuthenticationMethod, versionFields } from '@parley/protocol';
import { z } from 'zod';

import { ExternalMethod } from '../auth/sign-in.ts';
import { type RootContext, endpoint } from '../endpoint/endpoint.ts';

/** Methods of logging in that clients know and the server does not have. */
const unavailableMethods = ['remoteuser', 'saml', 'github', 'gitlab', 'azuread', 'apple', 'google'];

/** The tests of some clients use this name for a program that is too old. */
const incompatibleClient = 'ZulipInvalid';

/** What is the same for all organizations of the server, and how one signs in. */
const aboutServer = (
  { client, isDevelopment, push }: Pick<RootContext, 'client' | 'isDevelopment' | 'push'>,
  methods: ReadonlySet<AuthenticationMethod>,
  external: readonly ExternalMethod[],
) => ({
  authentication_methods: {
    password: methods.has('Email') || methods.has('LDAP'),
    dev: isDevelopment,
    email: methods.has('Email'),
    ldap: methods.has('LDAP'),
    'openid connect': methods.has('OpenID Connect'),
    ...Object.fromEntries(unavailableMethods.map((method) => [method, false])),
  },
  external_authentication_methods: external,
  ...versionFields,
  push_notifications_enabled: push.services.size > 0,
  is_incompatible: client === incompatibleClient,
  email_auth_enabled: methods.has('Email'),
  require_email_format_usernames: !methods.has('LDAP'),
});

/** The name of the calling program where it does not say one. */
const nameless = 'Unspecified';

const answerCompatibility = ({ client }: Pick<RootContext, 'client'>) => {
  if (client === nameless) throw new ApiError('BAD_REQUEST', 'The User-Agent header is missing.');
  if (client === incompatibleClient)
    throw new ApiError('BAD_REQUEST', 'This version of the app is too old. Please update it.');
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
      external_authentication_methods: z.array(ExternalMethod),
      svc_version: z.string(),
      svc_feature_level: z.int(),
      svc_merge_base: z.string(),
      zulip_version: z.string(),
      zulip_feature_level: z.int(),
      zulip_merge_base: z.string(),
      parley_version: z.string(),
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
    // An organization says for itself how one signs in to it.
    handleAtRoot: (context) => Promise.resolve(aboutServer(context, new Set(['Email']), [])),
    async handle({ realm, client, isDevelopment, push, snapshot, auth }) {
      const [row, isOpen] = await snapshot(
        async (tx) =>
          [
            await model.realms.getRealm(tx, realm.id),
            await model.realms.isOpenToSpectators(tx, realm.id),
          ] as const,
      );
      const methods = model.signIn.enabledMethods(row, auth.signIn.available);
      return {
        ...aboutServer(
          { client, isDevelopment, push },
          methods,
          methods.has('OpenID Connect') ? auth.signIn.external : [],
        ),
        realm_url: realm.url,
        realm_uri: realm.url,
        realm_name: row.displayName,
        realm_icon: model.realms.realmPictureUrl(row, 'icon'),
        realm_description: row.renderedDescription,
        realm_web_public_access_enabled: isOpen,
      };
    },
  }),
];
