import type { IncomingMessage } from 'node:http';

import { ApiError } from '@parley/protocol';

export interface BodyLimits {
  bytesMax: number;
  /** Time from the call to the body's last byte. */
  msMax: number;
}

const interrupted = () =>
  new ApiError('BAD_REQUEST', 'The connection closed before the request was complete.');
const tooLarge = () => new ApiError('BAD_REQUEST', 'The request is too large.');
const tooSlow = () => new ApiError('BAD_REQUEST', 'The request took too long to arrive.');

/**
 * Reads the body of a request as bytes. One that announces too many is refused before it is read, and what was not read
 * stays unread: see `drain`. A body whose sender goes away is refused too, so that its ECONNRESET is taken for nobody
 * else's.
 * @throws BAD_REQUEST
 */
export async function readBody(req: IncomingMessage, { bytesMax, msMax }: BodyLimits): Promise<Buffer> {
  if (Number(req.headers['content-length'] ?? 0) > bytesMax) throw tooLarge();
  const chunks: Buffer[] = [];
  let bytes = 0;
  const refusal = await consume(req, msMax, (chunk) => {
    bytes += chunk.length;
    if (bytes > bytesMax) return false;
    chunks.push(chunk);
    return true;
  });
  if (refusal) throw { left: tooLarge, gone: interrupted, late: tooSlow }[refusal]();
  return Buffer.concat(chunks);
}

const drainLimits = { bytesMax: 32 * 1024 * 1024, msMax: 5000 };

const drained = new WeakMap<IncomingMessage, Promise<boolean>>();

/**
 * Reads and forgets what is left of a request, so that the next one on its connection is not taken for a part of it.
 * False if that is too much or too slow: then the connection must be closed with the reply. Whoever asks again has the same
 * answer.
 */
export async function drain(req: IncomingMessage): Promise<boolean> {
  if (req.complete) {
    req.resume();
    return true;
  }
  const result = drained.get(req) ?? readRest(req);
  drained.set(req, result);
  return await result;
}

async function readRest(req: IncomingMessage): Promise<boolean> {
  let bytes = 0;
  const refusal = await consume(req, drainLimits.msMax, (chunk) => {
    bytes += chunk.length;
    return bytes <= drainLimits.bytesMax;
  });
  return refusal === null;
}

/** Reads until the end (null), until `take` is false (left), until the sender is gone, or until it is late. */
async function consume(
  req: IncomingMessage,
  msMax: number,
  take: (chunk: Buffer) => boolean,
): Promise<'left' | 'gone' | 'late' | null> {
  if (req.readableEnded) return null;
  if (req.destroyed) return 'gone';
  return await new Promise((resolve) => {
    const timer = setTimeout(() => end('late'), msMax);
    const onData = (chunk: Buffer) => {
      if (!take(chunk)) end('left');
    };
    const onEnd = () => end(null);
    const onGone = () => end('gone');
    const end = (outcome: 'left' | 'gone' | 'late' | null) => {
      clearTimeout(timer);
      req.pause();
      req.off('data', onData).off('end', onEnd).off('close', onGone);
      resolve(outcome);
    };
    // It stays for good: an error that nobody listens to would end the process.
    req.on('error', onGone);
    req.on('data', onData).on('end', onEnd).on('close', onGone);
    req.resume();
  });
}
