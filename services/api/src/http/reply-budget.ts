import { takeBreak } from '@parley/kit';
import { counter } from '@parley/telemetry';

const ended = counter(
  'parley_http_slow_replies_total',
  'Replies that were ended because slow readers held too many',
);

/** The memory that large replies may take while they are being sent. */
export interface ReplyBudget {
  readonly bytesMax: number;
  /** What is held in memory for them. */
  readonly bytes: number;
  /**
   * The bytes as a stream that hands on the very same buffers, but small ones together, as fast as they are taken. `abandon` is called when the
   * reply is to end before all is taken.
   */
  send(pieces: readonly Buffer[], abandon: () => void): ReadableStream<Uint8Array>;
}

/**
 * Bounds the memory of large replies that are not taken yet: what several of them share counts once. When it is more
 * than `bytesMax`, the ones that began first end.
 */
export function createReplyBudget(bytesMax: number): ReplyBudget {
  const uses = new Map<ArrayBufferLike, number>();
  /** How to end what is on its way, the first one first. */
  const underWay = new Set<() => void>();
  let bytes = 0;

  function hold(memory: ReadonlySet<ArrayBufferLike>, change: 1 | -1): void {
    for (const buffer of memory) {
      const before = uses.get(buffer) ?? 0;
      if (before + change === 0) uses.delete(buffer);
      else uses.set(buffer, before + change);
      if (before === 0 || before + change === 0) bytes += change * buffer.byteLength;
    }
  }

  return {
    bytesMax,
    get bytes() {
      return bytes;
    },
    send(pieces, abandon) {
      const memory = new Set(pieces.map(({ buffer }) => buffer));
      let next = 0;
      const release = () => {
        if (underWay.delete(end)) hold(memory, -1);
      };
      const end = () => {
        release();
        ended.inc();
        abandon();
      };
      hold(memory, 1);
      underWay.add(end);
      for (const endFirst of underWay) {
        if (bytes <= bytesMax || endFirst === end) break;
        endFirst();
      }
      return new ReadableStream<Uint8Array>(
        {
          async pull(controller) {
            await takeBreak();
            const until = endOfWrite(pieces, next);
            const written = pieces.slice(next, until);
            next = until;
            const [piece, ...more] = written;
            // Many small writes, one after the other, would hold the event loop.
            if (piece) return controller.enqueue(more.length === 0 ? piece : Buffer.concat(written));
            release();
            controller.close();
          },
          cancel: release,
        },
        { highWaterMark: 0 },
      );
    },
  };
}

/** Pieces that are smaller together are written at once. */
const writeBytes = 64 * 1024;

/** Returns where the pieces end that are written together, from one on: that one, and small ones behind it. */
function endOfWrite(pieces: readonly Buffer[], first: number): number {
  let [end, bytes] = [first, 0];
  while (end < pieces.length) {
    bytes += pieces[end]?.length ?? 0;
    if (bytes > writeBytes && end > first) break;
    end += 1;
  }
  return end;
}
