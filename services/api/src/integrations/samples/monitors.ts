import type { Samples } from '../integration.ts';

const robot = (alertType: string, more: object) => ({
  monitorFriendlyName: 'Tea shop',
  monitorURL: 'https://tea.example',
  alertType,
  ...more,
});

const uptimerobot: Samples = {
  down: ['down', robot('1', { alertDetails: 'Connection Timeout' })],
  up: ['up', robot('2', { alertDetails: 'HTTP 200 - OK', alertFriendlyDuration: '5 mins' })],
  'certificate expires': ['ssl_expiry', robot('3', { alertDetails: 'Your certificate expires in 7 days' })],
};

const monitor = { id: 1, name: 'Tea shop', url: 'https://tea.example', hostname: null, type: 'http' };
const beat = (status: number, msg: string) => ({
  heartbeat: {
    monitorID: 1,
    status,
    time: '2026-11-20 10:00:00.000',
    msg,
    important: true,
    duration: 60,
    ping: null,
  },
  monitor,
  msg: `[Tea shop] ${msg}`,
});

const uptimekuma: Samples = {
  down: ['down', beat(0, 'timeout of 48000ms exceeded')],
  up: ['up', beat(1, '200 - OK')],
  pending: ['pending', beat(2, 'Request failed with status code 502')],
  maintenance: ['maintenance', beat(3, 'Monitor under maintenance')],
  test: ['notice', { heartbeat: null, monitor: null, msg: 'Chat Testing' }],
};

export const samples = { uptimerobot, uptimekuma };
