import * as actions from '@parley/actions';
import { TimeZone, type UserDefaults, type UserSettings, userSettingRows } from '@parley/protocol';
import type { z } from 'zod';

import { endpoint, form } from '../endpoint/endpoint.ts';

type Settings = { [Name in keyof UserSettings]?: UserSettings[Name] | undefined };
type SettingParams = {
  [Name in keyof UserSettings]: z.ZodType<UserSettings[Name] | undefined, string | undefined>;
};

// Safe: each row's parameter is read by the row's own schema.
const paramsOf = (rows: typeof userSettingRows) =>
  Object.fromEntries(
    rows.map(([name, { schema }]) => [name, form.value(schema).optional()]),
  ) as unknown as SettingParams;

const settingParams = paramsOf(userSettingRows);
/** The parameters of the settings that new accounts can start with. */
const defaultParams = paramsOf(userSettingRows.filter(([, { isPersonal }]) => !isPersonal));

const sentSettings = (settings: Settings) =>
  // Safe: only the settings that were not sent are undefined.
  Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined)) as UserDefaults;

/** Since 80 the two older addresses take the same parameters as PATCH /settings. */
const editPaths = {
  '/settings': "Changes the caller's name, time zone and personal settings.",
  '/settings/display':
    'Does the same as PATCH /settings, for programs that know its older address for display settings.',
  '/settings/notifications':
    'Does the same as PATCH /settings, for programs that know its older address for notifications.',
};

const editRoutes = Object.entries(editPaths).map(([path, summary]) =>
  endpoint({
    method: 'PATCH',
    path,
    summary,
    since: null,
    errors: [],
    requires: ['human'],
    params: {
      full_name: form.text().optional(),
      timezone: form.value(TimeZone).optional(),
      email: form.line(254).optional(),
      old_password: form.text().optional(),
      new_password: form.text().optional(),
      ...settingParams,
    },
    returns: {},
    async handle({ actor, params, clock, perform, snapshot, auth }) {
      const { full_name, timezone, email = '', old_password = '', new_password = '', ...settings } = params;
      const nowMs = clock.nowMs();
      const edit = { fullName: full_name, timezone, settings: sentSettings(settings), nowMs };
      // What is empty or as before is not asked for.
      const newEmail = email.trim() === '' || email.trim() === actor.email ? null : email;
      const oldHash =
        new_password === ''
          ? null
          : await auth.passwordGuesses.limit(actor, () =>
              actions.users.checkPassword(snapshot, actor, old_password),
            );
      const passwords =
        oldHash === null
          ? null
          : {
              oldHash,
              newHash: await actions.users.hashOwnPassword(actor, new_password),
              keepsEmailChange: newEmail !== null,
            };
      if (newEmail !== null) await auth.emailChanges.take(actor);
      await perform(actions.ownAccount.edit, { actor, ...edit, newEmail, passwords });
      return {};
    },
  }),
);

export const settingRoutes = [
  ...editRoutes,

  endpoint({
    method: 'PATCH',
    path: '/realm/user_settings_defaults',
    summary: 'Changes the settings that new accounts start with.',
    since: null,
    errors: [],
    requires: ['administrator'],
    params: defaultParams,
    returns: {},
    async handle({ actor, params, perform }) {
      await perform(actions.realms.editUserDefaults, { actor, defaults: sentSettings(params) });
      return {};
    },
  }),
];
