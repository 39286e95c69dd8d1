import { once } from 'node:events';

import { pause } from '@parley/kit';

import { createRecorder } from '../recorder.ts';
import type { Command, Orders, QueueOrder, Report } from './messages.ts';
import type { Person } from './person.ts';
import { type Poller, createPoller } from './poller.ts';
import { createRequests } from './requests.ts';
import { startSlowReader } from './slow-reader.ts';

/** So many clients of this process connect together, and the next ones after a while: what is measured begins later. */
const opensAtOnce = 100;
/** Times the number of processes, which begin together. */
const betweenOpensMs = 200;

// Safe: the process that starts this one sends its orders first, and then commands.
const orders = (await once(process, 'message'))[0] as Orders;
const recorder = createRecorder();
const place = { port: orders.port, address: orders.address, recorder };
const requests = createRequests(orders, place);

const personOf = ({ organization, account }: QueueOrder): Person => {
  const { host, accounts } = orders.organizations[organization] ?? { host: '', accounts: [] };
  const found = accounts[account];
  if (!found) throw new Error(`There is no account ${account} in organization ${organization}.`);
  return { organization, id: found.id, authorization: found.authorization, host };
};
const pollerOf = (order: QueueOrder) =>
  createPoller(order, personOf(order), place, (person, id) => requests.remember(person, id));
const pollers = orders.pollers.map(pollerOf);
const abandoned = orders.abandoned.map(pollerOf);
let slowReaders: Disposable[] = [];

const parked = (some: readonly Poller[]) => some.reduce((count, { isParked }) => count + Number(isParked), 0);

const unopened: Poller[] = [...abandoned, ...pollers];

/** Opens so many of those that are not open yet. */
async function open(count: number): Promise<void> {
  const some = unopened.splice(0, count);
  for (let first = 0; first < some.length; first += opensAtOnce) {
    await Promise.all(some.slice(first, first + opensAtOnce).map((poller) => poller.open()));
    await pause(betweenOpensMs * orders.processes);
  }
}

async function obey(command: Command): Promise<void> {
  if (command.kind === 'open') await open(command.count ?? unopened.length);
  if (command.kind === 'abandon') for (const poller of abandoned) poller.abandon();
  if (command.kind === 'begin') {
    slowReaders = orders.slowReaders.map((order) => startSlowReader(order, personOf(order), place));
    requests.begin(command.rates, command.atMs);
    // Whoever has a queue polls it already.
    const returning = pollers.filter((_, index) => orders.pollers[index]?.queueId === null);
    await Promise.all(returning.map((poller) => poller.comeBack(command.atMs)));
  }
  if (command.kind === 'stop asking') {
    for (const reader of slowReaders) reader[Symbol.dispose]();
    await requests.stop();
  }
}

const say = (report: Report) => process.send?.(report);

/** Says what happened since it was last said. */
function saySecond(): void {
  const heard = pollers.reduce((sum, { heardCount }) => sum + heardCount, 0);
  const second = recorder.flush(parked(pollers));
  say({ kind: 'second', second, heard, acknowledged: requests.acknowledged });
}

process.on('message', (message) => {
  const command = message as Command;
  if (command.kind === 'collect') {
    const clients = pollers.map((poller) => poller.collect());
    saySecond();
    say({ kind: 'done', collected: { clients, sends: requests.sends } });
    return;
  }
  // A process of clients that cannot go on ends, and the run with it.
  void obey(command).then(() => {
    saySecond();
    say({ kind: 'done' });
  });
});

setInterval(saySecond, 1000);
say({ kind: 'done' });
process.on('disconnect', () => process.exit(0));
