'use strict';

// Shows the deployment, and asks for it anew every two seconds. Text is only ever set as text.

const everyMs = 2000;
/** Of counters, what they were when it was asked last: rates come from the difference. */
let before = { now: 0, delivered: new Map() };
let answeredMs = 0;

const number = (value) => (value === undefined ? '' : Math.round(value).toLocaleString('en'));
const mebibytes = (value) => (value === undefined ? '' : `${number(value / 2 ** 20)} MiB`);
const percent = (value) => (value === undefined ? '' : `${number(value * 100)} %`);

function since(ms) {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 120) return `${minutes} min`;
  return minutes < 2880 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / 1440)} days`;
}

/** Fills a table. A cell may be { text, bad }. */
function fill(id, head, rows) {
  const table = document.getElementById(id);
  const line = (tag, cells) => {
    const row = document.createElement('tr');
    for (const cell of cells) {
      const element = document.createElement(tag);
      const { text, bad } = typeof cell === 'object' && cell !== null ? cell : { text: cell, bad: false };
      element.textContent = String(text);
      if (bad) element.className = 'bad';
      row.append(element);
    }
    return row;
  };
  table.replaceChildren(line('th', head), ...rows.map((cells) => line('td', cells)));
}

const unknown = [[{ text: 'not available right now', bad: true }]];

function showNodes({ nodes, now }) {
  const delivered = new Map();
  const rows = nodes?.map(({ role, host, pid, startedMs, measured }) => {
    const name = `${role} ${host}:${pid}`;
    const count = measured.parley_queue_delivered_events_total;
    if (count !== undefined) delivered.set(name, count);
    const last = before.delivered.get(name);
    const rate =
      count === undefined || last === undefined ? undefined : ((count - last) * 1000) / (now - before.now);
    const lag = measured.parley_log_lag_entries;
    return [
      name,
      since(now - startedMs),
      number(measured.parley_queue_parked_polls),
      number(rate),
      number(measured.parley_queue_realms),
      { text: number(lag), bad: lag > 100 },
      number(measured.parley_log_holes_filled_total),
      { text: measured.parley_database_up === 0 ? 'down' : '', bad: true },
      { text: percent(measured.busy), bad: measured.busy > 0.9 },
      mebibytes(measured.process_resident_memory_bytes),
    ];
  });
  before = { now, delivered };
  const head = ['node', 'up', 'parked polls', 'events/s', 'logs', 'behind', 'holes filled'];
  fill('nodes', [...head, 'Postgres', 'busy', 'memory'], rows ?? unknown);
  const sum = (name) => nodes?.reduce((total, { measured }) => total + (measured[name] ?? 0), 0);
  document.getElementById('sums').textContent = [
    `${number(nodes?.length)} nodes`,
    `${number(sum('parley_queue_parked_polls'))} parked polls`,
    `${number(sum('parley_log_lag_entries'))} entries behind`,
    `${number(sum('parley_log_holes_filled_total'))} holes filled`,
  ].join(' · ');
}

function show(status) {
  showNodes(status);
  const { log, queues, due, deadLetters } = status;
  fill(
    'log',
    ['partition', 'logs', 'entries', 'in the stream', 'stream'],
    log?.map(({ partition, logs, head, carried, isCarried }) => [
      partition,
      number(logs),
      number(head),
      number(carried),
      isCarried ? 'up to date' : 'behind',
    ]) ?? unknown,
  );
  fill(
    'jobs',
    ['queue', 'waiting', 'delayed', 'running', 'failed', 'workers'],
    queues?.map(({ queue, waiting, delayed, active, failed, workers }) => [
      queue,
      number(waiting),
      number(delayed),
      number(active),
      { text: number(failed), bad: failed > 0 },
      { text: number(workers), bad: workers === 0 },
    ]) ?? unknown,
  );
  const rows = due?.map(({ kind, due, late }) => [kind, number(due), { text: number(late), bad: late > 0 }]);
  const dead = { text: number(deadLetters ?? 0), bad: deadLetters !== 0 };
  fill('due', ['kind', 'due', 'late'], [...(rows ?? unknown), ['webhook dead letters', dead, '']]);
}

async function ask() {
  const response = await fetch('/operators/status').catch(() => undefined);
  if (response?.status === 401) location.reload();
  if (response?.ok) {
    show(await response.json());
    answeredMs = Date.now();
  }
  setTimeout(() => void ask(), everyMs);
}

setInterval(() => {
  const age = Math.round((Date.now() - answeredMs) / 1000);
  const element = document.getElementById('age');
  element.textContent = answeredMs === 0 ? '…' : age < 5 ? 'live' : `no answer for ${age} s`;
  element.className = answeredMs > 0 && age >= 5 ? 'bad' : '';
}, 500);
void ask();
