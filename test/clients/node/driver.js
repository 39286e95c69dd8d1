import { text } from 'node:stream/consumers';

export const config = JSON.parse(await text(process.stdin));

/** Calls the steps of a driver in order, and writes what each returned as a line of JSON. */
export async function run(...steps) {
  for (const step of steps) {
    try {
      say({ step: step.name, value: await step() });
    } catch (error) {
      process.stderr.write(`${error.stack}\n`);
      say({ step: step.name, error: String(error).slice(0, 1000) });
    }
  }
}

const say = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);

/** Requests something with the account of somebody. */
export async function request({ email, api_key: key }, method, path, fields = {}) {
  const headers = { Authorization: `Basic ${btoa(`${email}:${key}`)}` };
  const values = Object.entries(fields).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  const params = new URLSearchParams(values);
  const isRead = method === 'GET';
  const url = `${config.site}/api/v1${path}${isRead ? `?${params}` : ''}`;
  const response = await fetch(url, { method, headers, ...(!isRead && { body: params }) });
  const reply = await response.json();
  if (!response.ok) throw new Error(`${method} ${path} was answered with ${response.status}: ${reply.msg}`);
  return reply;
}
