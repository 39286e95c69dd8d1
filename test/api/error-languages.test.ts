import { expect, test } from 'vitest';

import { type Person, call, encode, getWorld, realm, succeed } from '../support/index.ts';

const form = { 'Content-Type': 'application/x-www-form-urlencoded' };

/** Asks for a name that is none, with such a header. */
async function askForNoName({ realm: { host }, email, apiKey }: Person, language: string | null) {
  const { ports } = await getWorld();
  return await call({
    port: ports.api,
    method: 'PATCH',
    path: '/api/v1/settings',
    headers: {
      Host: host,
      Authorization: `Basic ${Buffer.from(`${email}:${apiKey}`).toString('base64')}`,
      ...(language !== null && { 'Accept-Language': language }),
      ...form,
    },
    body: encode({ full_name: ' ' }),
  });
}

const english = 'Enter a name.';

test('an error is in the language of the account, for programs that say that they prefer one', async () => {
  const { alice, bob } = await realm();
  await succeed(bob.patch('/settings', { default_language: 'de' }));
  const inEnglish = await askForNoName(bob, null);
  expect(inEnglish).toMatchObject({ status: 400, body: { result: 'error', msg: english } });
  const inGerman = await askForNoName(bob, 'fr, en;q=0.5');
  expect(inGerman.status).toBe(400);
  expect(inGerman.body).toEqual({ ...inEnglish.body, msg: 'Gib einen Namen ein.' });
  for (const header of ['*', 'pl', ';;', 'de,'.repeat(20_000)])
    expect((await askForNoName(bob, header)).body.msg).toBe(english);
  expect((await askForNoName(alice, 'de')).body.msg).toBe(english);
});

test('an error before sign-in is in the language that is preferred, also on pages', async () => {
  const { alice } = await realm();
  const { ports } = await getWorld();
  const log = (path: string, headers: Record<string, string>) =>
    call({
      port: ports.api,
      method: 'POST',
      path,
      headers: { Host: alice.realm.host, ...form, ...headers },
      body: encode({ username: alice.email, password: 'wrong' }),
    });
  const key = '/api/v1/fetch_api_key';
  expect((await log(key, { 'Accept-Language': 'es' })).body).toMatchObject({
    code: 'AUTHENTICATION_FAILED',
    msg: 'El nombre de usuario o la contraseña no son correctos.',
  });
  expect((await log(key, {})).body.msg).toBe('The username or password is wrong.');
  const page = await log('/login/', { 'Accept-Language': 'ar' });
  expect(page.status).toBe(401);
  expect(page.text).toContain('<p class="refusal">اسم المستخدم أو كلمة المرور غير صحيح.</p>');
});
