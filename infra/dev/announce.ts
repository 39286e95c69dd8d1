import type { DemoUser } from './demo/seed.ts';

export interface Announcement {
  baseUrl: string;
  users: readonly DemoUser[];
  logs: string;
  /** Where mail goes. */
  mail: string;
  /** The path of the file with all logins. */
  logins: string;
}

/** The text that is shown when Parley has started: the address to open and a login, where things are, and commands to try. */
export function announce({ baseUrl, users, logs, mail, logins }: Announcement): string {
  const [reader, writer = reader] = users;
  return `
Parley is running. Open it in a browser:

  Address   ${baseUrl}
${reader ? login(reader, logins) : ''}
  Logs      ${logs}
  Mail      ${mail}
  Stop      Ctrl-C
${reader && writer ? tryOut(baseUrl, reader, writer) : ''}`;
}

function login({ name, role, email, password, api_key }: DemoUser, logins: string): string {
  return `  Email     ${email}
  Password  ${password}

That is ${name} (${role}), whose API key is ${api_key}. The others are in ${logins}.
`;
}

function tryOut(baseUrl: string, reader: DemoUser, writer: DemoUser): string {
  return `
Or without a browser. In a second terminal, wait for a message:

  POLL=$(curl -s -u ${keyOf(reader)} ${baseUrl}/api/v1/register -d 'event_types=["message"]' |
    node -pe 'const {queue_id: q, last_event_id: e} = JSON.parse(fs.readFileSync(0)); \`queue_id=\${q}&last_event_id=\${e}\`')
  curl -s -u ${keyOf(reader)} "${baseUrl}/api/v1/events?$POLL"

In a third, send it:

  curl -s -u ${keyOf(writer)} ${baseUrl}/api/v1/messages -d type=channel --data-urlencode to=general \\
    --data-urlencode topic=hello --data-urlencode 'content=It works.'
`;
}

const keyOf = ({ email, api_key }: DemoUser) => `'${email}:${api_key}'`;
