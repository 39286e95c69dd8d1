import { once, setMaxListeners } from 'node:events';

import type { CrowdOrders } from './crowd.ts';
import { listen } from './listen.ts';

// Safe: the process that starts this one sends its orders first.
const [{ baseUrl, members }] = (await once(process, 'message')) as [CrowdOrders];
const stopping = new AbortController();
const { signal } = stopping;
setMaxListeners(0, signal);
const heard = () => undefined;
const failed = (status: number) => void process.send?.(status);
const listening = members.map((member) => listen({ baseUrl, member, signal, heard, failed }));
await once(process, 'message');
stopping.abort();
await Promise.all(listening);
process.disconnect();
