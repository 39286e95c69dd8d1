import { check, sleep } from 'k6';
import exec from 'k6/execution';
import http from 'k6/http';
import { Counter, Trend } from 'k6/metrics';

/*
 * What a busy server is asked, in its proportions, as a script for k6. It runs against any deployment:
 *
 *   k6 run -e BASE_URL=https://chat.example.org -e PEOPLE=people.json -e SECONDS=60 test/load/k6/mix.js
 *
 * people.json: { "rates": { "presence": 8, "send": 0.1, … requests a second },
 *   "people": [{ "host": "chat.example.org", "authorization": "Basic …", "channel": 7 }, …],
 *   "files": [{ "host": …, "authorization": …, "path": "/user_uploads/…" }] }
 */
const baseUrl = __ENV.BASE_URL;
const seconds = Number(__ENV.SECONDS || '60');
const { people, files, rates } = JSON.parse(open(__ENV.PEOPLE));

/** From a send to whoever hears it. */
const deliveries = new Trend('deliveries', true);
const heard = new Counter('events_heard');
const disordered = new Counter('events_out_of_order');

/** Rates need not be whole numbers of requests a second. */
const arriving = (kind, perSecond) => ({
  executor: 'constant-arrival-rate',
  exec: kind,
  rate: Math.max(1, Math.round(perSecond * 60)),
  timeUnit: '60s',
  duration: `${seconds}s`,
  preAllocatedVUs: Math.max(2, Math.ceil(perSecond * 2)),
  maxVUs: Math.max(10, Math.ceil(perSecond * 20)),
});

/** A threshold that always holds shows a kind of request by itself in the summary. */
const timed = [
  'POST /users/me/presence',
  'GET /user_uploads',
  'GET /messages',
  'POST /messages/flags',
  'POST /messages',
  'POST /register',
].map((name) => [`http_req_duration{name:${name}}`, ['max>=0']]);

export const options = {
  scenarios: {
    poll: {
      executor: 'per-vu-iterations',
      exec: 'poll',
      vus: people.length,
      iterations: 1,
      maxDuration: `${seconds}s`,
      gracefulStop: '0s',
    },
    ...Object.fromEntries(
      Object.entries(rates).map(([kind, perSecond]) => [kind, arriving(kind, perSecond)]),
    ),
  },
  thresholds: {
    http_req_failed: ['rate==0'],
    checks: ['rate==1'],
    events_out_of_order: ['count==0'],
    dropped_iterations: ['count==0'],
    ...Object.fromEntries(timed),
  },
  summaryTrendStats: ['min', 'med', 'p(90)', 'p(99)', 'max'],
};

const pick = (items) => items[Math.floor(Math.random() * items.length)];

function ask(name, person, method, path, fields = {}) {
  const headers = { Authorization: person.authorization, Host: person.host };
  const params = { headers, tags: { name }, timeout: '100s' };
  const form = Object.entries(fields)
    .map((pair) => pair.map(encodeURIComponent).join('='))
    .join('&');
  const reply =
    method === 'GET'
      ? http.get(`${baseUrl}/api/v1${path}?${form}`, params)
      : http.post(`${baseUrl}/api/v1${path}`, fields, params);
  check(reply, { [`${name} is answered`]: ({ status }) => status === 200 });
  return reply;
}

export function poll() {
  const person = people[(exec.vu.idInTest - 1) % people.length];
  const registered = ask('POST /register (queue)', person, 'POST', '/register', {
    fetch_event_types: '[]',
    apply_markdown: 'true',
  });
  const { queue_id, last_event_id } = registered.json();
  let cursor = last_event_id;
  for (;;) {
    const reply = ask('GET /events', person, 'GET', '/events', { queue_id, last_event_id: cursor });
    if (reply.status !== 200) {
      sleep(1 + Math.random());
      continue;
    }
    for (const event of reply.json('events')) {
      if (event.id <= cursor) disordered.add(1);
      cursor = Math.max(cursor, event.id);
      heard.add(1);
      const at = /load at (\d+)/.exec(event.message?.content ?? '');
      if (at) deliveries.add(Date.now() - Number(at[1]));
    }
  }
}

export function presence() {
  ask('POST /users/me/presence', pick(people), 'POST', '/users/me/presence', {
    status: 'active',
    ping_only: 'true',
  });
}

export function uploads() {
  const file = pick(files);
  const reply = ask('GET /user_uploads', file, 'GET', file.path);
  if (reply.status !== 200) return;
  const opened = http.get(`${baseUrl}${reply.json('url')}`, {
    headers: { Host: file.host },
    tags: { name: 'the file' },
  });
  check(opened, { 'the file is answered': ({ status }) => status === 200 });
}

export function messages() {
  const person = pick(people);
  ask('GET /messages', person, 'GET', '/messages', {
    anchor: 'newest',
    num_before: '50',
    num_after: '0',
    apply_markdown: 'true',
    narrow: JSON.stringify([['channel', person.channel]]),
  });
}

export function flags() {
  const person = pick(people);
  const newest = ask('GET /messages (newest)', person, 'GET', '/messages', {
    anchor: 'newest',
    num_before: '1',
    num_after: '0',
  });
  if (newest.status !== 200) return;
  const ids = newest.json('messages').map(({ id }) => id);
  ask('POST /messages/flags', person, 'POST', '/messages/flags', {
    messages: JSON.stringify(ids),
    op: 'add',
    flag: 'read',
  });
}

export function send() {
  const person = pick(people);
  ask('POST /messages', person, 'POST', '/messages', {
    type: 'channel',
    to: String(person.channel),
    topic: Math.random() < 1 / 20 ? `news ${Math.random()}` : `topic ${Math.floor(Math.random() * 5)}`,
    content: `load at ${Date.now()}`,
  });
}

export function register() {
  ask('POST /register', pick(people), 'POST', '/register', {
    apply_markdown: 'true',
    client_gravatar: 'true',
  });
}

export function properties() {
  const person = pick(people);
  const change = { stream_id: person.channel, property: 'color', value: '#c2c2c2' };
  ask('POST /users/me/subscriptions/properties', person, 'POST', '/users/me/subscriptions/properties', {
    subscription_data: JSON.stringify([change]),
  });
}
