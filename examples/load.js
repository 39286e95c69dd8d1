import { check } from 'k6';
import http from 'k6/http';
import { Counter, Trend } from 'k6/metrics';

/*
 * A script for k6 (https://k6.io): clients of one account wait for events in a channel while others send there.
 *
 *   k6 run -e SITE=http://127.0.0.1:9991 -e EMAIL=… -e API_KEY=… -e CHANNEL=general examples/load.js
 *
 * CLIENTS (20) wait, RATE (5) messages a second are sent, for SECONDS (30). It fails if a request failed, if events came
 * out of order, or if half of the messages were heard later than 500 ms after they were sent. In production an account
 * may send 200 requests a minute (RATE_LIMIT_BY_USER): raise that limit where you measure.
 */
const { SITE, EMAIL, API_KEY } = __ENV;
const CHANNEL = __ENV.CHANNEL || 'general';
const clients = Number(__ENV.CLIENTS || '20');
const seconds = Number(__ENV.SECONDS || '30');
const rate = Number(__ENV.RATE || '5');
const [scheme, address] = SITE.split('://');
const base = `${scheme}://${encodeURIComponent(EMAIL)}:${encodeURIComponent(API_KEY)}@${address}/api/v1`;

const delivery = new Trend('delivery', true);
const heard = new Counter('events_heard');
const disordered = new Counter('events_out_of_order');

export const options = {
  scenarios: {
    listen: {
      executor: 'per-vu-iterations',
      exec: 'listen',
      vus: clients,
      iterations: 1,
      maxDuration: `${seconds}s`,
      gracefulStop: '0s',
    },
    send: {
      executor: 'constant-arrival-rate',
      exec: 'send',
      rate,
      duration: `${Math.max(1, seconds - 4)}s`,
      startTime: '2s',
      preAllocatedVUs: rate * 2,
    },
  },
  thresholds: {
    checks: ['rate==1'],
    events_heard: ['count>0'],
    events_out_of_order: ['count==0'],
    delivery: ['med<500'],
  },
};

const isSuccess = { 'is answered with success': (reply) => reply.status === 200 };

export function listen() {
  const queue = http.post(`${base}/register`, {
    event_types: '["message"]',
    narrow: JSON.stringify([['channel', CHANNEL]]),
    apply_markdown: 'false',
  });
  if (!check(queue, isSuccess)) return;
  const { queue_id } = queue.json();
  let { last_event_id } = queue.json();
  for (;;) {
    const query = `queue_id=${encodeURIComponent(queue_id)}&last_event_id=${last_event_id}`;
    const reply = http.get(`${base}/events?${query}`, { timeout: '90s' });
    if (!check(reply, isSuccess)) return;
    for (const event of reply.json().events) {
      if (event.id <= last_event_id) disordered.add(1);
      last_event_id = event.id;
      const [, sentMs] = event.type === 'message' ? /^sent at (\d+)$/.exec(event.message.content) || [] : [];
      if (sentMs === undefined) continue;
      heard.add(1);
      delivery.add(Date.now() - Number(sentMs));
    }
  }
}

export function send() {
  const reply = http.post(`${base}/messages`, {
    type: 'channel',
    to: JSON.stringify(CHANNEL),
    topic: 'load',
    content: `sent at ${Date.now()}`,
  });
  check(reply, isSuccess);
}
