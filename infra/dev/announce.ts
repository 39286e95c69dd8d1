import type { DemoUser } from './seed.ts';

export interface Announcement {
  baseUrl: string;
  users: readonly DemoUser[];
  logs: string;
  /** Where mail goes. */
  mail: string;
  /** The path of the file with all logins. */
  logins: string;
}

/** The text that is shown when Parley has started: its address, logs, a login, and commands to try. */
export function announce({ baseUrl, users, logs, mail, logins }: Announcement): string {
  const [reader, writer = reader] = users;
  const tryIt = reader && writer ? `\n${login(reader, logins)}${tryOut(baseUrl, reader, writer)}` : '';
  return `
Parley is running.

  Address   ${baseUrl}
  Logs      ${logs}
  Mail      ${mail}
  Stop      Ctrl-C
${tryIt}`;
}

function login({ name, role, email, password, api_key }: DemoUser, logins: string): string {
  return `Log in as ${name} (${role}); the others are in ${logins}.

  Email     ${email}
  Password  ${password}
  API key   ${api_key}
`;
}

function tryOut(baseUrl: string, reader: DemoUser, writer: DemoUser): string {
  return `
In a second terminal, wait for a message:

  POLL=$(curl -s -u ${keyOf(reader)} ${baseUrl}/api/v1/register -d 'event_types=["message"]' |
    node -pe 'const {queue_id: q, last_event_id: e} = JSON.parse(fs.readFileSync(0)); \`queue_id=\${q}&last_event_id=\${e}\`')
  curl -s -u ${keyOf(reader)} "${baseUrl}/api/v1/events?$POLL"

In a third, send it:

  curl -s -u ${keyOf(writer)} ${baseUrl}/api/v1/messages -d type=channel --data-urlencode to=general \\
    --data-urlencode topic=hello --data-urlencode 'content=It works.'
`;
}

const keyOf = ({ email, api_key }: DemoUser) => `'${email}:${api_key}'`;
