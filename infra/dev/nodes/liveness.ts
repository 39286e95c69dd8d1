import { readFileSync } from 'node:fs';
import { get } from 'node:http';

import { systemClock } from '@parley/kit';

import type { Say } from '../machine/say.ts';
import type { NodeProcess } from './cluster-node.ts';

const checkMs = 500;
/** With the check that is not answered, this makes two seconds. A process that works has ten. */
const silentChecksMax = { idle: 3, busy: 19 };

/**
 * Asks every node twice a second whether it serves, and kills one that has not answered for two seconds, or for ten while
 * it has worked: one that has too much to do gets on no faster by starting anew. Its connections
 * end with it: the proxy asks other nodes what it was asked, parked polls included, because a proxy can not tell by
 * itself a node that hangs from one that has nothing to say; and Postgres takes back what a worker has begun.
 */
export function killHungNodes(nodes: ReadonlySet<NodeProcess>, say: Say): Disposable {
  const checks = new WeakMap<NodeProcess, ReturnType<typeof createCheck>>();
  let lastMs = systemClock.nowMs();
  const timer = setInterval(() => {
    const nowMs = systemClock.nowMs();
    // Answers may wait here when this process itself was held up.
    const wasHeldUp = nowMs - lastMs > checkMs * 1.5;
    lastMs = nowMs;
    for (const node of nodes) {
      const check = checks.get(node) ?? createCheck(node, say);
      checks.set(node, check);
      check(wasHeldUp);
    }
  }, checkMs);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

function createCheck(node: NodeProcess, say: Say): (wasHeldUp: boolean) => void {
  let asked: { pid: number | undefined; silentChecks: number; idleChecks: number; cpu: string } | undefined;

  function ask(): void {
    const question = { pid: node.pid, silentChecks: 0, idleChecks: 0, cpu: cpuTimeOf(node.pid) };
    asked = question;
    const settle = () => {
      if (asked === question) asked = undefined;
    };
    get(`${node.url}/health`, { agent: false }, (answer) => answer.resume().on('close', settle)).on(
      'error',
      settle,
    );
  }

  return (wasHeldUp) => {
    if (!node.isReady || asked?.pid !== node.pid) asked = undefined;
    if (!node.isReady) return;
    if (!asked) return ask();
    const cpu = cpuTimeOf(asked.pid);
    if (wasHeldUp) {
      asked.silentChecks = 0;
      asked.idleChecks = 0;
    } else {
      asked.silentChecks += 1;
      asked.idleChecks = cpu === asked.cpu ? asked.idleChecks + 1 : 0;
    }
    asked.cpu = cpu;
    const isHung = asked.idleChecks >= silentChecksMax.idle || asked.silentChecks >= silentChecksMax.busy;
    if (!isHung) return;
    const seconds = ((asked.silentChecks + 1) * checkMs) / 1000;
    say(`${node.name} (pid ${asked.pid}) has not answered for ${seconds} seconds`);
    asked = undefined;
    node.kill('SIGKILL');
  };
}

/** The processor time that a process has used, in words of the system; empty where the system does not say. */
function cpuTimeOf(pid: number | undefined): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ').slice(13, 15).join(' ');
  } catch {
    return '';
  }
}
