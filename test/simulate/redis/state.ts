interface Kept<Value> {
  value: Value;
  /** Endless for a key that does not expire. */
  untilMs: number;
}

export interface StreamEntry {
  id: string;
  fields: string[];
}

/** What a Redis server has stored, as far as the delivery path stores anything. */
export class RedisState {
  readonly strings = new Map<string, Kept<string>>();
  readonly hashes = new Map<string, Map<string, string>>();
  readonly sorted = new Map<string, Map<string, number>>();
  readonly streams = new Map<string, StreamEntry[]>();
  lastStreamMs = 0;
  lastStreamNumber = 0;

  copy(): RedisState {
    const copy = new RedisState();
    for (const [key, kept] of this.strings) copy.strings.set(key, { ...kept });
    for (const [key, hash] of this.hashes) copy.hashes.set(key, new Map(hash));
    for (const [key, members] of this.sorted) copy.sorted.set(key, new Map(members));
    for (const [key, entries] of this.streams) copy.streams.set(key, [...entries]);
    copy.lastStreamMs = this.lastStreamMs;
    copy.lastStreamNumber = this.lastStreamNumber;
    return copy;
  }

  get(key: string, nowMs: number): string | null {
    const kept = this.strings.get(key);
    return kept && kept.untilMs > nowMs ? kept.value : null;
  }

  hash(key: string): Map<string, string> {
    const hash = this.hashes.get(key) ?? new Map<string, string>();
    this.hashes.set(key, hash);
    return hash;
  }

  members(key: string): Map<string, number> {
    const members = this.sorted.get(key) ?? new Map<string, number>();
    this.sorted.set(key, members);
    return members;
  }

  stream(key: string): StreamEntry[] {
    const stream = this.streams.get(key) ?? [];
    this.streams.set(key, stream);
    return stream;
  }
}

/** Returns whether a stream's id is behind another. Both are whole: a time and a number. */
export function isAfter(id: string, other: string): boolean {
  const [at, otherAt] = [id.indexOf('-'), other.indexOf('-')];
  const [ms, otherMs] = [Number(id.slice(0, at)), Number(other.slice(0, otherAt))];
  if (ms !== otherMs) return ms > otherMs;
  return Number(id.slice(at + 1)) > Number(other.slice(otherAt + 1));
}
