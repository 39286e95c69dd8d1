import { connect } from 'node:net';

import { getRequest } from '../../bench/poller.ts';
import type { QueueOrder } from './messages.ts';
import type { Person, Place } from './person.ts';

const bytesPerTurn = 256;
const turnMs = 100;

/**
 * A client that asks for everything since it registered, reads the reply a few bytes at a time, and never acknowledges
 * any of it.
 */
export function startSlowReader(
  { queueId }: QueueOrder,
  { authorization, host }: Person,
  { port, address, recorder }: Place,
): Disposable {
  const path = `/api/v1/events?queue_id=${queueId}&last_event_id=-1`;
  let isOver = false;
  // Little is read before somebody asks for it, so the rest waits at the server.
  const socket = connect({ port, host: '127.0.0.1', localAddress: address });
  socket.on('error', () => undefined);
  socket.on('close', () => {
    if (!isOver) recorder.fail('slow reader: connection closed');
  });
  socket.pause();
  socket.write(getRequest(path, authorization, host));
  const timer = setInterval(() => socket.read(bytesPerTurn), turnMs);
  return {
    [Symbol.dispose]() {
      isOver = true;
      clearInterval(timer);
      socket.destroy();
    },
  };
}
