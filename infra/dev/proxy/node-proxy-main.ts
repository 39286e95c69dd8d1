import { createNodeProxy } from './node-proxy.ts';

// Usage: node node-proxy-main.js PORT API_PORTS QUEUE_PORTS CONNECTIONS_PER_ADDRESS. The lists are separated by commas.
const [port, api, queue, perAddress] = process.argv
  .slice(2)
  .map((list) => list.split(',').filter(Boolean).map(Number));
const proxy = createNodeProxy({ api: api ?? [], queue: queue ?? [] }, perAddress?.[0]);
proxy.listen({ port: port?.[0], host: '127.0.0.1', backlog: 4096 });
process.once('SIGTERM', () => process.exit(0));
