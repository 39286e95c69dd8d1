import { Socket } from 'node:net';

/** What postgres.js passes to its option `socket`, which its types do not declare. */
interface Target {
  host: string[];
  port: number[];
  /** Of a Unix socket. */
  path: string | false;
}

/**
 * Returns what opens the connections of one client: without Nagle's algorithm, which holds back a statement until
 * Postgres has acknowledged the one before. Each further connection tries the next of several hosts.
 */
export function socketOpener(): (target: Target) => Socket {
  let opened = 0;
  return ({ host, port, path }) => {
    const socket = new Socket();
    socket.setNoDelay(true);
    if (path) return socket.connect(path);
    const index = opened % host.length;
    opened += 1;
    const name = host[index] ?? '';
    // What is written meanwhile waits. postgres.js reads the name for the certificate from the socket.
    return Object.assign(socket.connect(port[index] ?? 5432, name), { host: name });
  };
}
