import { useEffect } from 'preact/hooks';

import { Popover } from '../../base/dialogs/popover.tsx';
import { ActButton } from '../../base/forms/act-button.tsx';
import { toChannel, toPeople } from '../../base/router/narrow.ts';
import { setMuted } from '../../data/actions/channel-verbs.ts';
import { own, slice } from '../../data/live/state.ts';
import { nameOfRole, nameOfUser, userOf } from '../../data/people/names.ts';
import { shownProfile } from '../../data/people/shown-profile.ts';
import { isSpectator } from '../../data/session/session.ts';
import { followToChannel } from '../../data/topics/open-channel.ts';
import { directMenuText } from '../../strings/channels.ts';
import { locale } from '../../strings/language.ts';
import { peopleText } from '../../strings/people.ts';
import { Avatar, PresenceDot } from '../avatars/index.ts';
import { CustomValue } from './custom-value.tsx';
import { localTime } from './local-time.ts';
import type { ProfileField } from './profile-values.ts';
import { StatusEmoji } from './status-emoji.tsx';

/** Somebody's profile, when it was asked for. */
export function Profile() {
  const shown = shownProfile.value;
  const user = shown === null ? undefined : userOf(shown.userId);
  const close = () => void (shownProfile.value = null);
  // Links of the card lead to another view, and the card goes.
  useEffect(() => {
    globalThis.addEventListener('hashchange', close);
    return () => globalThis.removeEventListener('hashchange', close);
  }, []);
  if (shown === null || !user) return null;
  return (
    <Popover key={shown.userId} label={user.full_name} opener={shown.opener} onClose={close}>
      <Card id={shown.userId} user={user} />
    </Popover>
  );
}

interface CardProps {
  id: number;
  user: NonNullable<ReturnType<typeof userOf>>;
}

function Card({ id, user }: CardProps) {
  const status = slice('statuses').get(id);
  const { role, is_bot, bot_owner_id, timezone, delivery_email, date_joined } = user;
  const roleName = is_bot ? peopleText.bot : nameOfRole(role);
  return (
    <div class="profile">
      <div class="profile-head">
        <Avatar id={id} size={72} />
        <div>
          <h2 dir="auto">{user.full_name}</h2>
          <p class="dim">{slice('nonActiveUsers').has(id) ? peopleText.deactivated(roleName) : roleName}</p>
          {delivery_email && (
            <p>
              <a href={`mailto:${delivery_email}`}>{delivery_email}</a>
            </p>
          )}
        </div>
      </div>
      {!isSpectator() && !is_bot && (
        <p class="profile-status">
          <PresenceDot userId={id} /> <StatusEmoji userId={id} /> {status?.status_text}
        </p>
      )}
      {!isSpectator() && (
        <a class="button primary" href={toPeople([id])}>
          {peopleText.sendMessage}
        </a>
      )}
      {!isSpectator() && id !== own('user_id') && <Mute id={id} />}
      <dl class="profile-fields">
        {timezone && <Line name={peopleText.localTime}>{localTime(new Date(), timezone)}</Line>}
        {bot_owner_id && <Line name={peopleText.botOwner}>{nameOfUser(bot_owner_id)}</Line>}
        <Line name={peopleText.joined}>{new Date(date_joined).toLocaleDateString(locale())}</Line>
        <CustomFields user={user} />
        <CommonChannels id={id} />
      </dl>
    </div>
  );
}

const Line = ({ name, children }: { name: string; children: preact.ComponentChildren }) => (
  <div>
    <dt class="dim">{name}</dt>
    <dd>{children}</dd>
  </div>
);

/** Shows the organization's profile fields. */
function CustomFields({ user: { profile_data = {} } }: Pick<CardProps, 'user'>) {
  const fields = (isSpectator() ? [] : own('custom_profile_fields')) as ProfileField[];
  return (
    <>
      {fields.map((field) => {
        const said = profile_data[field.id];
        if (!said?.value) return null;
        return (
          <Line key={field.id} name={field.name}>
            <CustomValue field={field} value={said.value} rendered={said.rendered_value} />
          </Line>
        );
      })}
    </>
  );
}

/** The channels in which both are. */
function CommonChannels({ id }: { id: number }) {
  if (isSpectator()) return null;
  const channels = [...slice('subscriptions').values()].filter(({ subscribers }) => subscribers?.has(id));
  if (channels.length === 0 || id === own('user_id')) return null;
  return (
    <Line name={peopleText.commonChannels}>
      {channels.map(({ stream_id, name }) => (
        <a
          key={stream_id}
          class="profile-channel"
          href={toChannel(stream_id, name)}
          onClick={(event) => followToChannel(event, stream_id)}
        >
          #{name}
        </a>
      ))}
    </Line>
  );
}

/** Mutes somebody, whose messages are hidden from then on, or ends that. */
function Mute({ id }: { id: number }) {
  const isMuted = own('muted_users').some((muted) => muted.id === id);
  return (
    <ActButton act={() => setMuted(id, !isMuted)}>
      {isMuted ? directMenuText.unmute : directMenuText.mute}
    </ActButton>
  );
}
