import { get } from 'node:http';

import { systemClock } from '@parley/kit';

import type { Say } from '../machine/say.ts';
import type { NodeProcess } from './cluster-node.ts';
import { Silence } from './silence.ts';

const checkMs = 500;

/**
 * Asks every node twice a second whether it lives, at a port where no clients wait to be accepted. It kills one that has not
 * answered for two seconds in which it slept, or while it worked for eight seconds of processor time: one that waits for a
 * processor gets on no faster by starting anew. Its connections end with it: the proxy asks other nodes what it was asked,
 * parked polls included, because a proxy can not tell by itself a node that hangs from one that has nothing to say; and
 * Postgres takes back what a worker has begun.
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
  let asked: Silence | undefined;

  function ask(): void {
    const question = new Silence(node.pid);
    asked = question;
    const settle = () => {
      if (asked === question) asked = undefined;
    };
    get(new URL('/health', node.metricsUrl), { agent: false }, (answer) =>
      answer.resume().on('close', settle),
    ).on('error', settle);
  }

  return (wasHeldUp) => {
    if (!node.isReady || asked?.pid !== node.pid) asked = undefined;
    if (!node.isReady) return;
    if (!asked) return ask();
    if (!asked.goesOn(wasHeldUp)) return;
    const seconds = (asked.checks * checkMs) / 1000;
    say(`${node.name} (pid ${asked.pid}) has not answered for ${seconds} seconds`);
    asked = undefined;
    node.kill('SIGKILL');
  };
}
