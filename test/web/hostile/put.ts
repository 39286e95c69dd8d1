import { type Connection, RequestFailed } from '@parley/client';

import type { Corpus } from './payloads.ts';

/** How many payloads each place took and refused. */
interface Tally {
  taken: Map<string, number>;
  refused: Map<string, number>;
  /** What the server said last when it refused. */
  reasons: Map<string, string>;
}

export interface Putting {
  corpus: Corpus;
  tally: Tally;
  /**
   * Puts a payload of each kind at a place. What the server refuses cannot hurt anybody, and is counted.
   * @throws RequestFailed for what is no refusal of the text
   */
  readonly put: (
    place: string,
    lengthMax: number,
    write: (text: string, index: number) => Promise<unknown>,
  ) => Promise<void>;
  /** Puts one thing. */
  readonly one: (place: string, write: () => Promise<unknown>) => Promise<void>;
}

const count = (map: Map<string, number>, place: string) => map.set(place, (map.get(place) ?? 0) + 1);

export function createPutting(corpus: Corpus): Putting {
  const tally: Tally = { taken: new Map(), refused: new Map(), reasons: new Map() };
  async function one(place: string, write: () => Promise<unknown>): Promise<void> {
    try {
      await write();
      count(tally.taken, place);
    } catch (error) {
      if (!(error instanceof RequestFailed) || error.status !== 400) throw error;
      count(tally.refused, place);
      tally.reasons.set(place, error.message);
    }
  }
  return {
    corpus,
    tally,
    one,
    async put(place, lengthMax, write) {
      for (const [index, text] of corpus.textsFor(place, lengthMax).entries()) {
        await one(place, () => write(text, index));
      }
    },
  };
}

/** Whoever puts things: the API as an owner and as a member. */
export interface Attackers {
  owner: Connection;
  member: Connection;
}
