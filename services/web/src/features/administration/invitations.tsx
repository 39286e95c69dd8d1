import type { State } from '@parley/client';
import { useSignal } from '@preact/signals';

import { ActButton } from '../../base/forms/act-button.tsx';
import { Form, numbersOf, textOf } from '../../base/forms/form.tsx';
import { showToast } from '../../base/toasts/toasts.tsx';
import { own, slice } from '../../data/live/state.ts';
import { useListed } from '../../data/live/use-listed.ts';
import { nameOfRole, nameOfUser, namedRoles, roles } from '../../data/people/names.ts';
import { may } from '../../data/people/rights.ts';
import { momentOf } from '../../data/places/times.ts';
import { connection } from '../../data/session/session.ts';
import { invitationText } from '../../strings/administration.ts';
import { commonText } from '../../strings/common.ts';
import { listNames } from '../../strings/language.ts';

type Invite = NonNullable<State['invites']>[number];

const expiries = [
  [60 * 24, invitationText.oneDay],
  [60 * 24 * 10, invitationText.tenDays],
  [60 * 24 * 30, invitationText.thirtyDays],
  [null, invitationText.never],
] as const;

/** Invitations by email and by link: new ones, and those that nobody has accepted yet. */
export function Invitations() {
  const invites = useListed('invites', async () => {
    const { invites: listed } = await connection().get<{ invites: Invite[] }>('/invites');
    return listed;
  });
  const link = useSignal('');
  const canMakeLinks = may('create_multiuse_invite_group');
  return (
    <>
      {may('can_invite_users_group') && (
        <Form submit={invitationText.send} label={invitationText.byEmail} act={inviteByEmail}>
          <h2>{invitationText.byEmail}</h2>
          <label>
            {invitationText.emails}
            <textarea name="emails" rows={2} required />
          </label>
          <Offer />
        </Form>
      )}
      {canMakeLinks && (
        <Form
          submit={invitationText.createLink}
          label={invitationText.byLink}
          act={async (fields) => {
            const reply = await connection().post<{ invite_link: string }>(
              '/invites/multiuse',
              offerOf(fields),
            );
            link.value = reply.invite_link;
          }}
        >
          <h2>{invitationText.byLink}</h2>
          <Offer />
          {link.value && (
            <label>
              {invitationText.link}
              <input readOnly value={link.value} onFocus={({ currentTarget }) => currentTarget.select()} />
            </label>
          )}
        </Form>
      )}
      <h2>{invitationText.pending}</h2>
      {invites === null && <p class="dim">{commonText.loading}</p>}
      {invites?.length === 0 && <p class="dim">{invitationText.none}</p>}
      <ul class="plain-list">
        {invites?.map((invite) => (
          <InviteRow key={`${invite.is_multiuse} ${invite.id}`} invite={invite} />
        ))}
      </ul>
    </>
  );
}

/** The role, the term and the channels of an invitation. */
const Offer = () => (
  <>
    <label>
      {invitationText.role}
      <select name="role">
        {namedRoles
          .filter(([role]) => own('is_owner') || role !== roles.owner)
          .map(([role, name]) => (
            <option key={role} value={role} selected={role === roles.member}>
              {name}
            </option>
          ))}
      </select>
    </label>
    <label>
      {invitationText.expiry}
      <select name="expiry">
        {expiries.map(([minutes, text], index) => (
          <option key={text} value={index} selected={minutes === 60 * 24 * 10}>
            {text}
          </option>
        ))}
      </select>
    </label>
    <label class="setting-toggle">
      <input type="checkbox" name="defaults" defaultChecked /> {invitationText.defaultChannels}
    </label>
    <label>
      {invitationText.channels}
      <select name="channels" multiple size={4}>
        {[...slice('subscriptions').values()]
          .sort((a, b) => a.name.localeCompare(b.name))
          .map(({ stream_id, name }) => (
            <option key={stream_id} value={stream_id}>
              {name}
            </option>
          ))}
      </select>
    </label>
  </>
);

const offerOf = (fields: FormData) => ({
  invite_as: Number(textOf(fields, 'role')),
  invite_expires_in_minutes: expiries[Number(textOf(fields, 'expiry'))]?.[0] ?? null,
  include_realm_default_subscriptions: fields.has('defaults'),
  stream_ids: numbersOf(fields, 'channels'),
});

async function inviteByEmail(fields: FormData, form: HTMLFormElement): Promise<void> {
  await connection().post('/invites', { invitee_emails: textOf(fields, 'emails'), ...offerOf(fields) });
  form.reset();
  showToast(invitationText.sent);
}

function InviteRow({ invite }: { invite: Invite }) {
  const { id, is_multiuse, invited_as, invited_by_user_id, expiry_date } = invite;
  const path = is_multiuse ? `/invites/multiuse/${id}` : `/invites/${id}`;
  return (
    <li>
      {is_multiuse ? <code>{invite.link_url}</code> : invite.email}{' '}
      <span class="dim">
        {listNames([
          invitationText.summary(nameOfRole(invited_as), nameOfUser(invited_by_user_id)),
          ...(expiry_date === null ? [] : [invitationText.expires(momentOf(expiry_date))]),
        ])}
      </span>{' '}
      <span class="row-actions">
        {!is_multiuse && (
          <ActButton act={() => connection().post(`/invites/${id}/resend`)}>
            {invitationText.resend}
          </ActButton>
        )}
        <ActButton act={() => connection().delete(path)}>{invitationText.revoke}</ActButton>
      </span>
    </li>
  );
}
