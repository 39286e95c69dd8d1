import { expect, test } from 'vitest';

import {
  type Person,
  call,
  encode,
  getWorld,
  invitationKeyOf,
  joinByService,
  realm,
  succeed,
} from '../support/index.ts';

/** A page as somebody sees it whose browser sends such a header. */
async function see({ host }: Person['realm'], path: string, language: string | null) {
  const { ports } = await getWorld();
  const headers = { Host: host, ...(language !== null && { 'Accept-Language': language }) };
  return await call({ port: ports.api, method: 'GET', path, headers });
}

const form = { 'Content-Type': 'application/x-www-form-urlencoded' };

test.each([
  ['German', 'de', 'de-AT,de;q=0.9,en;q=0.8', 'ltr', 'Passwort vergessen?'],
  ['Polish, else French', 'fr', 'pl, fr;q=0.5', 'ltr', 'Mot de passe oublié\u202f?'],
  ['Spanish', 'es', 'es', 'ltr', '¿Has olvidado tu contraseña?'],
  ['Japanese', 'ja', 'ja', 'ltr', 'パスワードをお忘れですか？'],
  ['Arabic', 'ar', 'ar', 'rtl', 'هل نسيت كلمة المرور؟'],
  ['anything', 'en', '*', 'ltr', 'Forgot your password?'],
  ['what nobody can read', 'en', ';;q=,"', 'ltr', 'Forgot your password?'],
  ['more than a header is long', 'en', 'x'.repeat(60_000), 'ltr', 'Forgot your password?'],
  ['nothing', 'en', null, 'ltr', 'Forgot your password?'],
])('a page before sign-in, in a browser that prefers %s, is in %s', async (_, tag, header, dir, title) => {
  const { realm: home } = await realm();
  const page = await see(home, '/accounts/password/reset/', header);
  expect(page.status).toBe(200);
  expect(page.text).toContain(`<html lang="${tag}" dir="${dir}">`);
  expect(page.text).toContain(`<h1>${title}</h1>`);
  expect(page.headers).toMatchObject({
    'content-language': tag,
    vary: expect.stringContaining('Accept-Language'),
    'cache-control': 'private, no-store',
  });
});

test('where the browser prefers no language of ours, a page is in the organization’s', async () => {
  const { owner, realm: home } = await realm();
  await succeed(owner.patch('/realm', { default_language: 'ja' }));
  expect((await see(home, '/accounts/password/reset/', null)).text).toContain('<html lang="ja"');
  expect((await see(home, '/accounts/password/reset/', 'pl')).text).toContain('<html lang="ja"');
  expect((await see(home, '/accounts/password/reset/', 'de')).text).toContain('<html lang="de"');
});

test('after sign-in, a page is in the language of the account', async () => {
  const { join, realm: home } = await realm();
  const password = 'correct horse battery staple';
  const dora = await join({ name: 'Dora', password });
  await succeed(dora.patch('/settings', { default_language: 'ar' }));
  const { ports } = await getWorld();
  const page = await call({
    port: ports.api,
    method: 'POST',
    path: '/login/',
    headers: { Host: home.host, 'Accept-Language': 'de', ...form },
    body: encode({ username: dora.email, password }),
  });
  expect(page.text).toContain('<html lang="ar" dir="rtl">');
  expect(page.text).toContain('تم تسجيل دخولك');
});

const languageOf = async (id: number) => {
  const { engine } = await getWorld();
  const user = await engine.db.query.users.findFirst({ where: (one, { eq }) => eq(one.id, id) });
  return user?.settings.default_language ?? 'en';
};

test('an account begins in the language of the browser, unless the organization has one of its own', async () => {
  const { owner, realm: home } = await realm();
  const { ports } = await getWorld();
  const join = async (email: string, language: string): Promise<string> => {
    await succeed(owner.post('/invites', { invitee_emails: email, stream_ids: [] }));
    const reply = await call({
      port: ports.api,
      method: 'POST',
      path: `/join/${await invitationKeyOf(email)}/`,
      headers: { Host: home.host, 'Accept-Language': language, Accept: 'application/json', ...form },
      body: encode({ full_name: email.split('@')[0] ?? '', password: 'correct horse battery staple' }),
    });
    expect(reply.status).toBe(200);
    return await languageOf(reply.body.user_id);
  };
  expect(await join('ann@languages.example', 'de-CH,en;q=0.5')).toBe('de');
  expect(await join('bea@languages.example', 'pl')).toBe('en');
  await succeed(owner.patch('/realm', { invite_required: false }));
  const identity = { email: 'cem@languages.example', fullName: 'Cem' };
  expect(await languageOf(await joinByService(home, identity, undefined, 'es'))).toBe('es');

  await succeed(owner.patch('/realm', { default_language: 'ar' }));
  expect(await join('dan@languages.example', 'de')).toBe('ar');
});
