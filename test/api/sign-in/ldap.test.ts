import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { type Ldap, startLdap } from '@parley/infra';
import { Client } from 'ldapts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type Person, getWorld, realm, succeed } from '../../support/index.ts';

const password = 'what the directory knows';

let directory: Ldap | undefined;
let node: { port: number } & AsyncDisposable;
let dir: string;
/** Why there is no directory. */
let reason = '';

const optionsOf = ({ url, baseDn, adminDn, adminPassword }: Ldap) => ({
  url,
  bindDn: adminDn,
  bindPassword: adminPassword,
  baseDn,
  filter: '(|(uid={username})(mail={username}))',
  emailAttribute: 'mail',
  nameAttribute: 'cn',
});

async function fill({ url, baseDn, adminDn, adminPassword }: Ldap): Promise<void> {
  const client = new Client({ url });
  await client.bind(adminDn, adminPassword);
  await client.add(baseDn, { objectClass: ['dcObject', 'organization'], dc: 'example', o: 'Example' });
  const add = (uid: string, more: Record<string, string>) =>
    client.add(`uid=${uid},${baseDn}`, {
      objectClass: 'inetOrgPerson',
      uid,
      cn: `The ${uid}`,
      sn: uid,
      userPassword: password,
      ...more,
    });
  await add('ann', { mail: 'ann@new.example', cn: 'Ann *Other*' });
  await add('ben', { mail: 'ben@new.example' });
  await add('cy', { mail: 'cy@elsewhere.example' });
  await add('twin-1', { mail: 'twin@new.example' });
  await add('twin-2', { mail: 'twin@new.example' });
  await add('mute', {});
  await client.unbind();
}

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'parley-ldap-'));
  directory = await startLdap({ dir, say: () => undefined }).catch((error: unknown) => {
    reason = String(error);
    return undefined;
  });
  if (!directory) return;
  await fill(directory);
  const { startApi, signIn } = await getWorld();
  node = await startApi({ signIn: { ...signIn, ldap: optionsOf(directory) } });
});

afterAll(async () => {
  await node?.[Symbol.asyncDispose]();
  await directory?.[Symbol.asyncDispose]();
  await rm(dir, { recursive: true, force: true });
});

const logIn = async (by: Person, username: string, typed = password, port = node.port) =>
  (await by.ask('POST', '/fetch_api_key', { username, password: typed }, { authorization: null, port })).body;

const wrong = { code: 'AUTHENTICATION_FAILED' };

describe('somebody of the directory', () => {
  test('logs in to their account with what the directory knows', async ({ skip }) => {
    if (!directory) skip(`There is no OpenLDAP: ${reason}`);
    const { owner, alice, join } = await realm();
    const ann = await join({ name: 'Ann', email: 'ann@new.example', password: 'her own password here' });
    const given = { result: 'success', user_id: ann.id, api_key: ann.apiKey, email: ann.email };
    for (const username of ['ann', 'ANN', 'ann@new.example']) {
      expect(await logIn(alice, username), username).toMatchObject(given);
    }
    expect(await logIn(alice, ann.email, 'her own password here')).toMatchObject(given);
    const settings = await alice.ask('GET', '/server_settings', {}, { port: node.port });
    expect(settings.body).toMatchObject({
      authentication_methods: { password: true, ldap: true },
      require_email_format_usernames: false,
    });

    const methods = { authentication_methods: { Email: false } };
    await succeed(owner.ask('PATCH', '/realm', methods, { port: node.port }).then(({ body }) => body));
    expect(await logIn(alice, ann.email, 'her own password here')).toMatchObject(wrong);
    expect(await logIn(alice, 'ann')).toMatchObject(given);
    await succeed(owner.delete(`/users/${ann.id}`));
    expect(await logIn(alice, 'ann')).toMatchObject({ code: 'USER_DEACTIVATED' });
  });

  test('is not let in by anything else', async ({ skip }) => {
    if (!directory) skip(`There is no OpenLDAP: ${reason}`);
    const { owner, alice, join } = await realm();
    await join({ name: 'Ann', email: 'ann@new.example' });
    await join({ name: 'Twin', email: 'twin@new.example' });
    expect(await logIn(alice, 'ann', 'wrong')).toMatchObject(wrong);
    expect(await logIn(alice, 'ann', ''), 'that would be nobody').toMatchObject(wrong);
    for (const username of ['*', 'a*', 'ann)(uid=*', 'ann\\', 'nobody', 'mute', 'twin@new.example']) {
      expect(await logIn(alice, username), username).toMatchObject(wrong);
    }
    await succeed(owner.patch('/realm', { authentication_methods: { LDAP: false } }));
    expect(await logIn(alice, 'ann@new.example')).toMatchObject(wrong);
    expect(await logIn(alice, 'ann')).toMatchObject({ code: 'BAD_REQUEST' });
  });

  test('gets an account if they are invited, or anybody may come whose address is taken', async ({
    skip,
  }) => {
    if (!directory) skip(`There is no OpenLDAP: ${reason}`);
    const { owner, alice } = await realm();
    expect(await logIn(alice, 'ann')).toMatchObject(wrong);
    await succeed(
      alice.post('/invites', { invitee_emails: 'ann@new.example', stream_ids: [], invite_as: 600 }),
    );
    const ann = await succeed(logIn(alice, 'ann'));
    expect((await owner.get(`/users/${ann.user_id}`)).user).toMatchObject({
      full_name: 'Ann  Other',
      role: 600,
      delivery_email: 'ann@new.example',
    });
    expect((await alice.get('/invites')).invites).toEqual([]);

    await succeed(owner.post('/realm/domains', { domain: 'new.example', allow_subdomains: false }));
    await succeed(owner.patch('/realm', { invite_required: false, emails_restricted_to_domains: true }));
    const ben = await succeed(logIn(alice, 'ben'));
    expect((await owner.get(`/users/${ben.user_id}`)).user).toMatchObject({
      full_name: 'The ben',
      role: 400,
    });
    expect(await logIn(alice, 'cy')).toMatchObject({
      code: 'BAD_REQUEST',
      msg: "This organization does not accept the email address 'cy@elsewhere.example'. Use one of its domains.",
    });
  });
});

test('a directory that is silent or away keeps nobody waiting long', async () => {
  const { alice } = await realm();
  const { startApi, signIn } = await getWorld();
  const silent = createServer(() => undefined);
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const { port } = silent.address() as AddressInfo;
  const options = {
    bindDn: undefined,
    bindPassword: undefined,
    baseDn: '',
    filter: '(uid={username})',
    emailAttribute: 'mail',
    nameAttribute: 'cn',
  };
  for (const url of [`ldap://127.0.0.1:${port}`, 'ldap://127.0.0.1:1']) {
    await using other = await startApi({ signIn: { ...signIn, ldap: { ...options, url } } });
    expect(await logIn(alice, 'ann', password, other.port)).toMatchObject({ code: 'SERVER_NOT_READY' });
  }
  silent.close();
});
