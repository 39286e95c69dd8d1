import { useEffect } from 'preact/hooks';

import { Dialog } from '../../base/dialogs/dialog.tsx';
import { Picture } from '../../base/pictures/picture.tsx';
import { toChannel, toPeople } from '../../base/router/narrow.ts';
import { own, slice } from '../../data/live/state.ts';
import { nameOfRole, nameOfUser, userOf } from '../../data/people/names.ts';
import { shownProfile } from '../../data/people/shown-profile.ts';
import { isSpectator } from '../../data/session/session.ts';
import { peopleText } from '../../strings/people.ts';
import { localTime } from './local-time.ts';
import { PresenceDot } from './presence-dot.tsx';
import { StatusEmoji } from './status-emoji.tsx';

/** Somebody's profile, when it was asked for. */
export function Profile() {
  const id = shownProfile.value;
  const user = id === null ? undefined : userOf(id);
  const close = () => void (shownProfile.value = null);
  // Links of the card lead to another view, and the card goes.
  useEffect(() => {
    globalThis.addEventListener('hashchange', close);
    return () => globalThis.removeEventListener('hashchange', close);
  }, []);
  if (id === null || !user) return null;
  return (
    <Dialog key={id} title={user.full_name} onClose={close}>
      <Card id={id} user={user} />
    </Dialog>
  );
}

interface CardProps {
  id: number;
  user: NonNullable<ReturnType<typeof userOf>>;
}

function Card({ id, user }: CardProps) {
  const status = slice('statuses').get(id);
  const { role, is_bot, bot_owner_id, timezone, delivery_email, avatar_url, date_joined } = user;
  const roleName = is_bot ? peopleText.bot : nameOfRole(role);
  return (
    <div class="profile">
      <div class="profile-head">
        {avatar_url && <Picture src={avatar_url} alt="" size={96} />}
        <div>
          {!isSpectator() && !is_bot && (
            <p>
              <PresenceDot userId={id} /> <StatusEmoji userId={id} /> {status?.status_text}
            </p>
          )}
          <p>{slice('nonActiveUsers').has(id) ? peopleText.deactivated(roleName) : roleName}</p>
          {delivery_email && (
            <p>
              <a href={`mailto:${delivery_email}`}>{delivery_email}</a>
            </p>
          )}
          {!isSpectator() && <a href={toPeople([id])}>{peopleText.sendMessage}</a>}
        </div>
      </div>
      <dl class="profile-fields">
        {timezone && <Line name={peopleText.localTime}>{localTime(new Date(), timezone)}</Line>}
        {bot_owner_id && <Line name={peopleText.botOwner}>{nameOfUser(bot_owner_id)}</Line>}
        <Line name={peopleText.joined}>{new Date(date_joined).toLocaleDateString()}</Line>
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
  const fields = (isSpectator() ? [] : own('custom_profile_fields')) as {
    id: number;
    name: string;
    type: number;
  }[];
  return (
    <>
      {fields.map(({ id, name, type, ...field }) => {
        const value = profile_data[id]?.value;
        if (!value) return null;
        return (
          <Line key={id} name={name}>
            {shownValue(type, value, field)}
          </Line>
        );
      })}
    </>
  );
}

/** Returns the text of an option of a list, or the names of people. */
function shownValue(type: number, value: string, { field_data = '' }: { field_data?: string }): string {
  try {
    if (type === 3) return (JSON.parse(field_data) as Record<string, { text: string }>)[value]?.text ?? value;
    if (type === 6) return (JSON.parse(value) as number[]).map(nameOfUser).join(', ');
  } catch {
    return value;
  }
  return value;
}

/** The channels in which both are. */
function CommonChannels({ id }: { id: number }) {
  if (isSpectator()) return null;
  const channels = [...slice('subscriptions').values()].filter(({ subscribers }) => subscribers?.has(id));
  if (channels.length === 0 || id === own('user_id')) return null;
  return (
    <Line name={peopleText.commonChannels}>
      {channels.map(({ stream_id, name }) => (
        <a key={stream_id} class="profile-channel" href={toChannel(stream_id, name)}>
          #{name}
        </a>
      ))}
    </Line>
  );
}
