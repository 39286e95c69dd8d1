import { parseArgs } from 'node:util';

import { migrate } from '@parley/db';
import { createEngine } from '@parley/engine';
import { commonConfig, createLogger, readConfig, systemClock } from '@parley/kit';

import { found } from './found.ts';
import { readPassword } from './read-password.ts';

const usage = `npm run found -- --realm acme --name "Acme" --owner-email olivia@acme.example [--owner-name "Olivia"]

Founds an organization with its first owner, who may create accounts for others. The database is migrated before.

  DATABASE_URL                      the Postgres of the server
  BASE_HOST, BASE_URL, ROOT_REALM,
  FAKE_EMAIL_DOMAIN                 as its nodes have them
  OWNER_PASSWORD                    the owner's password; without it, it is asked for
`;

const { DATABASE_URL, BASE_HOST, BASE_URL, ROOT_REALM, FAKE_EMAIL_DOMAIN } = commonConfig;

function readArguments() {
  const text = { type: 'string', default: '' } as const;
  const { values } = parseArgs({
    options: {
      realm: text,
      name: text,
      'owner-email': text,
      'owner-name': text,
      help: { type: 'boolean', short: 'h' },
    },
  });
  const { realm, name, 'owner-email': email, 'owner-name': ownerName } = values;
  if (values.help || !realm || !name || !email) {
    process.stdout.write(usage);
    process.exit(values.help ? 0 : 2);
  }
  return { realm, displayName: name, email, ownerName: ownerName || (email.split('@')[0] ?? '') };
}

async function main(): Promise<string> {
  const { realm, displayName, email, ownerName } = readArguments();
  const config = readConfig(
    { DATABASE_URL, BASE_HOST, BASE_URL, ROOT_REALM, FAKE_EMAIL_DOMAIN },
    process.env,
  );
  const password = process.env['OWNER_PASSWORD'] ?? (await readPassword(`Password of ${email}: `));
  await migrate(config.DATABASE_URL);
  // Nodes find what is written here in Postgres, so nothing has to be published.
  await using engine = createEngine({
    databaseUrl: config.DATABASE_URL,
    name: 'found',
    connectionsMax: 1,
    redis: null,
    secret: '',
    clock: systemClock,
    logger: createLogger({ role: 'found', level: 'warn' }),
    partitions: 1,
  });
  const site = {
    baseUrl: config.BASE_URL,
    baseHost: config.BASE_HOST,
    rootRealm: config.ROOT_REALM,
    fakeEmailDomain: config.FAKE_EMAIL_DOMAIN,
  };
  const owner = { email, name: ownerName, password };
  const url = await found(engine, site, { realm, displayName, owner });
  return `${displayName} is at ${url}. ${ownerName} logs in there as ${email}.\n`;
}

try {
  process.stdout.write(await main());
} catch (error) {
  process.stderr.write(`Nothing was founded. ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
