import type { ChannelWithSubscribers } from '@parley/client';

import { ActButton } from '../../base/forms/act-button.tsx';
import { Form, textOf } from '../../base/forms/form.tsx';
import { SettingGroups } from '../../base/forms/setting-fields.tsx';
import {
  type SettingRow,
  type SettingValue,
  choice,
  number,
  text,
  toggle,
} from '../../base/forms/setting-row.ts';
import { showError } from '../../base/toasts/toasts.tsx';
import { own, slice } from '../../data/live/state.ts';
import { connection } from '../../data/session/session.ts';
import { organizationText, realmSettingText } from '../../strings/administration.ts';
import { commonText } from '../../strings/common.ts';

/** Seconds, with null for no limit. */
const limits = [
  [60, realmSettingText.oneMinute],
  [600, realmSettingText.tenMinutes],
  [3600, realmSettingText.oneHour],
  [86_400, realmSettingText.oneDay],
  [604_800, realmSettingText.oneWeek],
  [null, realmSettingText.noLimit],
] as const;

const joining = [
  toggle('invite_required', realmSettingText.inviteRequired),
  toggle('emails_restricted_to_domains', realmSettingText.restrictDomains),
  toggle('disallow_disposable_email_addresses', realmSettingText.noDisposable),
  number('waiting_period_threshold', realmSettingText.waitingPeriod, 0, 3650),
  toggle('enable_spectator_access', realmSettingText.spectators),
  toggle('send_welcome_emails', realmSettingText.welcomeEmails),
];

const messages = [
  toggle('allow_message_editing', realmSettingText.allowEditing),
  choice('message_content_edit_limit_seconds', realmSettingText.editLimit, limits),
  choice('message_content_delete_limit_seconds', realmSettingText.deleteLimit, limits),
  choice('move_messages_within_stream_limit_seconds', realmSettingText.moveTopicLimit, limits),
  choice('move_messages_between_streams_limit_seconds', realmSettingText.moveChannelLimit, limits),
  choice('message_edit_history_visibility_policy', realmSettingText.history, [
    ['all', realmSettingText.historyAll],
    ['moves', realmSettingText.historyMoves],
    ['none', realmSettingText.historyNone],
  ]),
  choice('message_retention_days', realmSettingText.retention, [
    [30, realmSettingText.thirtyDays],
    [365, realmSettingText.oneYear],
    [1825, realmSettingText.fiveYears],
    [-1, realmSettingText.forever],
  ]),
  choice('topics_policy', realmSettingText.emptyTopics, [
    ['allow_empty_topic', realmSettingText.emptyTopicsAllowed],
    ['disable_empty_topic', realmSettingText.emptyTopicsRefused],
  ]),
  toggle('enable_read_receipts', realmSettingText.readReceipts),
  toggle('inline_image_preview', realmSettingText.imagePreviews),
  toggle('inline_url_embed_preview', realmSettingText.linkPreviews),
];

const people = [
  toggle('name_changes_disabled', realmSettingText.fixedNames),
  toggle('email_changes_disabled', realmSettingText.fixedEmails),
  toggle('avatar_changes_disabled', realmSettingText.fixedAvatars),
  toggle('require_unique_names', realmSettingText.uniqueNames),
  toggle('presence_disabled', realmSettingText.hidePresence),
  toggle('enable_guest_user_indicator', realmSettingText.guestIndicator),
  toggle('message_content_allowed_in_email_notifications', realmSettingText.emailContent),
];

const groups: Record<string, readonly SettingRow[]> = {
  [realmSettingText.joining]: joining,
  [realmSettingText.messages]: messages,
  [realmSettingText.people]: people,
};

/** What is none is written as a word, and an address as JSON. */
function valueSent(name: string, value: SettingValue): SettingValue {
  if (name === 'jitsi_server_url') return value === '' ? '"default"' : JSON.stringify(value);
  return value === null || (name === 'message_retention_days' && value === -1) ? '"unlimited"' : value;
}

const save = async (name: string, value: SettingValue): Promise<void> => {
  await connection().patch('/realm', { [name]: valueSent(name, value) });
};

/** The name, the pictures and the settings of the organization. */
export const Organization = () => (
  <>
    <Form
      submit={commonText.save}
      label={organizationText.nameAndDescription}
      act={(fields) =>
        connection().patch('/realm', {
          name: textOf(fields, 'name'),
          description: textOf(fields, 'description'),
        })
      }
    >
      <label>
        {commonText.name}
        <input name="name" maxLength={40} defaultValue={own('realm_name')} required />
      </label>
      <label>
        {commonText.description}
        <textarea
          name="description"
          maxLength={1000}
          rows={3}
          defaultValue={String(own('realm_description'))}
        />
      </label>
    </Form>
    <Picture title={organizationText.icon} path="/realm/icon" url={own('realm_icon_url')} />
    <Picture title={organizationText.logo} path="/realm/logo?night=false" url={own('realm_logo_url')} />
    <Picture
      title={organizationText.darkLogo}
      path="/realm/logo?night=true"
      url={own('realm_night_logo_url')}
    />
    <SignInMethods />
    <SettingGroups
      groups={{
        ...groups,
        [organizationText.announcements]: announcements(),
        [organizationText.reports]: reports(),
        [organizationText.calls]: calls(),
      }}
      read={(name) => own(`realm_${name}`)}
      save={save}
    />
  </>
);

/** The channels that may be chosen, after what stands for none. */
const channelChoices = (none: string, isOne: (channel: ChannelWithSubscribers) => boolean = () => true) => [
  [-1, none] as const,
  ...[...slice('channels').values()]
    .filter((channel) => !channel.is_archived && isOne(channel))
    .map(({ stream_id, name }) => [stream_id, `#${name}`] as const),
];

function announcements(): SettingRow[] {
  const choices = channelChoices(organizationText.nowhere);
  return [
    choice('new_stream_announcements_stream_id', organizationText.newChannels, choices),
    choice('signup_announcements_stream_id', organizationText.newUsers, choices),
  ];
}

function reports(): SettingRow[] {
  const choices = channelChoices(organizationText.noReports, ({ invite_only }) => invite_only);
  const { reportsTo, reportsHelp } = organizationText;
  return [choice('moderation_request_channel_id', reportsTo, choices, reportsHelp)];
}

function calls(): SettingRow[] {
  const services = Object.values(own('realm_available_video_chat_providers') as Record<string, CallService>);
  const choices = services.map(({ id, name }) => [id, id === 0 ? organizationText.noCalls : name] as const);
  const { callServer, callServerHelp } = organizationText;
  return [
    choice('video_chat_provider', organizationText.callService, choices),
    text('jitsi_server_url', callServer, 200, callServerHelp),
  ];
}

interface CallService {
  id: number;
  name: string;
}

function Picture({ title, path, url }: { title: string; path: string; url: unknown }) {
  return (
    <div class="avatar-field">
      {typeof url === 'string' && <img src={url} alt="" height="48" />}
      <Form
        class="inline"
        submit={organizationText.upload(title)}
        act={async (fields, form) => {
          const file = fields.get('picture');
          if (!(file instanceof File) || file.size === 0) throw new Error(commonText.imageMissing);
          await connection().upload(path, file);
          form.reset();
        }}
      >
        <label>
          {title}
          <input name="picture" type="file" accept="image/*" />
        </label>
      </Form>
      <ActButton act={() => connection().delete(path)} label={organizationText.remove(title)}>
        {commonText.remove}
      </ActButton>
    </div>
  );
}

/** The ways in which people may sign in; at least one stays. */
function SignInMethods() {
  const methods = own('realm_authentication_methods') as Record<
    string,
    { enabled: boolean; available: boolean }
  >;
  const enabled = Object.fromEntries(Object.entries(methods).map(([name, method]) => [name, method.enabled]));
  return (
    <fieldset class="settings-group">
      <legend>{organizationText.signIn}</legend>
      {Object.keys(methods).map((name) => (
        <label key={name} class="setting-toggle">
          <input
            type="checkbox"
            checked={enabled[name] === true}
            disabled={!own('is_owner') || methods[name]?.available === false}
            onChange={({ currentTarget }) => {
              const change = { ...enabled, [name]: currentTarget.checked };
              connection()
                .patch('/realm', { authentication_methods: change })
                .catch((error: unknown) => {
                  currentTarget.checked = enabled[name] === true;
                  showError(error);
                });
            }}
          />{' '}
          {name}
        </label>
      ))}
    </fieldset>
  );
}
