import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * A program that behaves like a service towards the supervisor, and answers with the settings that it was started
 * with.
 */
const program = `
import { createServer } from 'node:http';

if (process.env.FAKE_FAILS) {
  console.error('the configuration has 1 mistake');
  process.exit(3);
}
const { PORT, HOST, DATABASE_URL, REDIS_URL, PARLEY_SECRET, BASE_URL, FAKE } = process.env;
const server = createServer((_, response) => {
  response.end(JSON.stringify({ pid: process.pid, port: PORT, DATABASE_URL, REDIS_URL, PARLEY_SECRET, BASE_URL, FAKE }));
});
server.listen(Number(PORT), HOST, () => {
  console.error('listening on ' + PORT);
  console.log(JSON.stringify({ ready: true, role: 'fake', port: server.address().port }));
});
process.once('SIGTERM', () => {
  console.error('drained');
  process.exit(0);
});
`;

export async function writeFakeService(folder: string): Promise<string> {
  const path = join(folder, 'fake-service.mjs');
  await writeFile(path, program);
  return path;
}
