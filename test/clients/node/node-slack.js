import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

import Slack from 'node-slack';

import { config, request, run } from './driver.js';

const slack = new Slack(`${config.site}/`);
const { owner } = config.accounts;
const asked = [];

/** Answers what an outgoing webhook posts, as the package's own manual does. */
async function answerPost(incoming, response) {
  const fields = Object.fromEntries(new URLSearchParams(await text(incoming)));
  const reply = slack.respond(fields, (hook) => {
    asked.push(hook);
    return { text: `Good point, ${hook.user_name}`, username: 'Dr. Nick' };
  });
  response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(reply));
}

const server = createServer((incoming, response) => void answerPost(incoming, response));
server.listen(0, '127.0.0.1');
await once(server, 'listening');

async function answer() {
  const made = await request(owner, 'POST', '/bots', {
    full_name: 'Doctor',
    short_name: 'doctor',
    bot_type: 3,
    payload_url: JSON.stringify(`http://127.0.0.1:${server.address().port}/`),
    interface_type: 2,
  });
  await request(owner, 'POST', '/users/me/subscriptions', {
    subscriptions: [{ name: config.channel }],
    principals: [made.user_id],
  });
  const content = '@**Doctor** should one eat more fruit?';
  await request(config.witness, 'POST', '/messages', {
    type: 'channel',
    to: config.channel,
    topic: config.topic,
    content,
  });
  for (let tries = 0; tries < 300; tries += 1) {
    const narrow = [
      ['channel', config.channel],
      ['topic', config.topic],
      ['sender', made.user_id],
    ];
    const page = { anchor: 'newest', num_before: 1, num_after: 0, narrow };
    const { messages } = await request(config.witness, 'GET', '/messages', page);
    if (messages.length > 0) return asked;
    await sleep(100);
  }
  throw new Error('Nothing was answered within 30 seconds.');
}

await run(answer);
server.close();
