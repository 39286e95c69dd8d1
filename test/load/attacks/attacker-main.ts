import { once, setMaxListeners } from 'node:events';

import type { Orders } from './attacker.ts';
import { attack, attacks } from './attacks.ts';
import { createAttackerAgent } from './requests.ts';

const told = async () => (await once(process, 'message'))[0] as unknown;

// Safe: the process that starts this one sends its orders first.
const { baseUrl, host, localAddress, name, people } = (await told()) as Orders;
const chosen = attacks.find((each) => each.name === name);
if (!chosen) throw new Error(`There is no attack ${name}.`);
const requestOf = await chosen.prepare(people);
process.send?.('prepared');
await told();
const stopping = new AbortController();
setMaxListeners(0, stopping.signal);
const { signal } = stopping;
const attacking = attack({ baseUrl, host, agent: createAttackerAgent(localAddress), signal }, requestOf);
await told();
stopping.abort();
process.send?.(await attacking);
process.disconnect();
