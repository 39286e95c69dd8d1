import { connect } from 'node:net';

/** The response of a server to raw bytes, until it closes the connection or has sent a whole response. */
export async function rawRequest(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(bytes);
  socket.setTimeout(60_000, () => socket.destroy());
  let reply = '';
  for await (const chunk of socket) {
    reply += String(chunk);
    const length = Number(/content-length: (\d+)/i.exec(reply)?.[1] ?? Number.NaN);
    if (reply.split('\r\n\r\n')[1]?.length === length) break;
  }
  return reply;
}

export function bodyOf(reply: string): unknown {
  return JSON.parse(reply.slice(reply.indexOf('\r\n\r\n') + 4));
}
