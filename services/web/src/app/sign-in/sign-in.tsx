import type { TargetedSubmitEvent } from 'preact';

import { Refusal, textOf } from '../../base/forms/form.tsx';
import { useAttempt } from '../../base/forms/use-attempt.ts';
import { Picture } from '../../base/pictures/picture.tsx';
import { type ServerSettings, serverSettings } from '../../data/session/server-settings.ts';
import { enterAsSpectator, logIn } from '../../data/session/session.ts';
import { Html } from '../../features/content/index.ts';
import { commonText } from '../../strings/common.ts';
import { sessionText } from '../../strings/session.ts';
import { joinPath } from './join-path.ts';

import './sign-in.css';

/** Shows the ways to sign in: a password, the services that the organization allows, an invitation, or spectating. */
export function SignIn({ refusal }: { refusal?: string | undefined }) {
  const settings = serverSettings.value;
  if (!settings) return null;
  const { authentication_methods: methods, external_authentication_methods: external } = settings;
  return (
    <main class="sign-in">
      <header>
        {settings.realm_icon && (
          <Picture src={settings.realm_icon} alt="" size={56} name={settings.realm_name} />
        )}
        <h1>{settings.realm_name}</h1>
      </header>
      {settings.realm_description && <Html class="sign-in-about" html={settings.realm_description} />}
      {refusal !== undefined && <p role="alert">{refusal}</p>}
      {methods['password'] && <PasswordForm settings={settings} />}
      {methods['email'] && <a href="/accounts/password/reset/">{sessionText.forgotPassword}</a>}
      {external.map(({ name, display_name, login_url }) => (
        <a key={name} class="button wide" href={login_url}>
          {sessionText.logInWith(display_name)}
        </a>
      ))}
      {settings.realm_web_public_access_enabled && <SpectateButton />}
      <InvitationForm />
    </main>
  );
}

function PasswordForm({ settings }: { settings: ServerSettings }) {
  const { refusal, isBusy, attempt } = useAttempt();
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    void attempt(() => logIn(textOf(fields, 'username'), textOf(fields, 'password')));
  };
  const isEmail = settings.require_email_format_usernames;
  return (
    <form onSubmit={submit}>
      <label>
        {isEmail ? commonText.emailAddress : sessionText.emailOrUsername}
        <input
          name="username"
          type={isEmail ? 'email' : 'text'}
          autocomplete="username"
          maxLength={254}
          required
        />
      </label>
      <label>
        {commonText.password}
        <input name="password" type="password" autocomplete="current-password" required />
      </label>
      <Refusal text={refusal} />
      <button type="submit" class="primary wide" disabled={isBusy}>
        {commonText.logIn}
      </button>
    </form>
  );
}

function SpectateButton() {
  const { refusal, isBusy, attempt } = useAttempt();
  return (
    <>
      <button type="button" class="wide" disabled={isBusy} onClick={() => void attempt(enterAsSpectator)}>
        {sessionText.spectate}
      </button>
      <Refusal text={refusal} />
    </>
  );
}

function InvitationForm() {
  const { refusal, attempt } = useAttempt();
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const link = textOf(new FormData(event.currentTarget), 'link');
    void attempt(async () => {
      const path = joinPath(link, location.origin);
      if (path === null) throw new Error(sessionText.wrongInvitation);
      location.assign(path);
    });
  };
  return (
    <details>
      <summary>{sessionText.hasInvitation}</summary>
      <form onSubmit={submit}>
        <label>
          {sessionText.invitation}
          <input name="link" type="url" required />
        </label>
        <Refusal text={refusal} />
        <button type="submit">{sessionText.open}</button>
      </form>
    </details>
  );
}
