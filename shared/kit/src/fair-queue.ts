import { type Caller, type Demand, processDemand } from './demand.ts';

/** What a piece of work is charged for. */
export interface Charge<Result> {
  /** In parts of the time that it took; 3 by default. */
  factor?: number;
  /** At least so many milliseconds, by the result and the time that it took. */
  readonly msOf?: (result: Result, tookMs: number) => number;
  /** The same where it fails; 0 by default. */
  readonly msOfFailure?: (error: unknown, tookMs: number) => number;
}

export interface FairQueueOptions {
  /** What is done at once: of all callers, and of each. */
  atOnce: { all: number; ofCaller: number };
  /** What may wait: of all callers, and of each. */
  waitingMax: { all: number; ofCaller: number };
  /**
   * While callers want the process who have nothing to do with this queue: what is done at once, and how long a place
   * rests for which more waits, in parts of the time for which it was taken. By default, there is no difference.
   */
  besideOthers?: { all: number; placeRest: number };
  /** How much of what a caller rests for may come at once, in milliseconds: what it may do again before it has rested. 0 by default. */
  burstMs?: number;
  demand?: Demand;
}

/** Whoever shares: an organization among organizations, or a caller in one. */
class Share {
  /** What it was charged for, more than whoever had used least when it came. */
  usedMs: number;
  restsUntilMs = 0;

  constructor(usedMs: number) {
    this.usedMs = usedMs;
  }

  rest(nowMs: number, ms: number): void {
    this.restsUntilMs = Math.max(this.restsUntilMs, nowMs) + ms;
  }
}

/** The callers of an organization, or one whose organization is not known. */
class Group extends Share {
  readonly key: Caller['key'];
  /** What whoever had used least of its callers had used when one of them was last served. */
  floorMs = 0;
  members = 0;
  /** Pieces of work under way, and that wait. */
  asked = 0;

  constructor(key: Caller['key'], usedMs: number) {
    super(usedMs);
    this.key = key;
  }
}

class Member extends Share {
  readonly caller: Caller;
  readonly group: Group;
  readonly waiting: (() => void)[] = [];
  running = 0;

  get isIdle(): boolean {
    return this.running === 0 && this.waiting.length === 0;
  }

  constructor(caller: Caller, group: Group) {
    super(group.floorMs);
    this.caller = caller;
    this.group = group;
  }

  comesBefore(other: Member): boolean {
    if (this.group !== other.group) return this.group.usedMs < other.group.usedMs;
    return this.usedMs < other.usedMs;
  }
}

/** An organization rests for a part of what its callers do: beside others, it may have more than one caller has. */
const groupRest = 1 / 3;

/**
 * Work that is done in the order of fair shares, by what it costs.
 *
 * ```
 *  run(caller, work) ──▶ the caller's own line
 *                               │  whenever a place is free, or a rest is over
 *                               ▼
 *         of the organizations whose callers wait, the one that has used least;
 *         of its callers, the one that has used least: not one that has all the
 *         places of a caller, or rests while others want the process
 *                               │
 *                               ▼
 *         the work. What it took is added to what caller and organization have used,
 *         and if others want the process, both rest for as long.
 * ```
 *
 * Where all callers together take too much of what others need, they have fewer places meanwhile, and these rest as well.
 *
 * Whoever is alone never waits for a free place: a rest ends when nobody else, who has used less of this queue, has asked
 * the process for anything for a moment. While others do, a caller has at most a part of one place, since the others'
 * requests need the same processor and the same database, although most pass through no queue.
 */
export class FairQueue {
  private readonly options: FairQueueOptions;
  private readonly demand: Demand;
  private readonly groups = new Map<Caller['key'], Group>();
  private readonly members = new Map<Caller['key'], Member>();
  /** Those for whom something waits. Whoever was served, or has come, is the last of them. */
  private readonly line = new Set<Member>();
  /** What whichever organization had used least had used when one was last served. */
  private floorMs = 0;
  private running = 0;
  private waiting = 0;
  /** Until when places rest that are free. */
  private placesRestUntilMs: number[] = [];
  private wakesAtMs = Number.POSITIVE_INFINITY;
  /** With so many members, those are forgotten who have used no more than others. */
  private membersMax = 1000;

  constructor(options: FairQueueOptions) {
    this.options = options;
    this.demand = options.demand ?? processDemand;
  }

  /** How many pieces of work are under way, and how many wait. */
  counts(): { running: number; waiting: number } {
    return { running: this.running, waiting: this.waiting };
  }

  /** Whether as much work waits, in all or for the caller, as may wait. */
  isFull({ key }: Caller): boolean {
    const { atOnce, waitingMax } = this.options;
    const { running = 0, waiting = [] } = this.members.get(key) ?? {};
    return (
      this.running + this.waiting >= atOnce.all + waitingMax.all ||
      running + waiting.length >= atOnce.ofCaller + waitingMax.ofCaller
    );
  }

  /** Runs the work when it is its turn. Whoever asked has the result, or the error, before the caller rests. */
  run<Result>(caller: Caller, work: () => Promise<Result>, charge: Charge<Result> = {}): Promise<Result> {
    const { factor = 3, msOf = () => 0, msOfFailure = () => 0 } = charge;
    const member = this.memberOf(caller);
    return new Promise((resolve, reject) => {
      const start = async () => {
        const startMs = performance.now();
        let leastMs = 0;
        try {
          const result = await work();
          leastMs = msOf(result, performance.now() - startMs);
          resolve(result);
        } catch (error) {
          leastMs = msOfFailure(error, performance.now() - startMs);
          reject(error);
        }
        const tookMs = performance.now() - startMs;
        this.finish(member, Math.max(leastMs, factor * tookMs), tookMs);
      };
      this.enqueue(member, () => void start());
      this.serve();
    });
  }

  private memberOf(caller: Caller): Member {
    const known = this.members.get(caller.key);
    if (known) return known;
    const groupKey = caller.organization ?? caller.key;
    const group = this.groups.get(groupKey) ?? new Group(groupKey, this.floorMs);
    this.groups.set(groupKey, group);
    group.members += 1;
    const member = new Member(caller, group);
    this.members.set(caller.key, member);
    return member;
  }

  private enqueue(member: Member, start: () => void): void {
    const { group } = member;
    // Nobody saves up what they have not used.
    if (member.isIdle) member.usedMs = Math.max(member.usedMs, group.floorMs);
    if (group.asked === 0) group.usedMs = Math.max(group.usedMs, this.floorMs);
    group.asked += 1;
    member.waiting.push(start);
    this.waiting += 1;
    this.line.add(member);
  }

  private serve(): void {
    while (this.waiting > 0 && this.hasPlace()) {
      const member = this.next();
      if (!member) return;
      this.floorMs = Math.max(this.floorMs, member.group.usedMs);
      member.group.floorMs = Math.max(member.group.floorMs, member.usedMs);
      member.running += 1;
      this.running += 1;
      this.waiting -= 1;
      const start = member.waiting.shift();
      this.line.delete(member);
      if (member.waiting.length > 0) this.line.add(member);
      start?.();
    }
  }

  /** Whether a place is free for what waits, and rests no more. If only others keep it from being taken, it is looked at again in time. */
  private hasPlace(): boolean {
    const { all } = this.options.atOnce;
    if (this.running >= all) return false;
    const nowMs = performance.now();
    this.placesRestUntilMs = this.placesRestUntilMs.filter((untilMs) => untilMs > nowMs);
    const { all: besideOthers = all } = this.options.besideOthers ?? {};
    if (this.running + this.placesRestUntilMs.length < besideOthers) return true;
    const wantedUntilMs = this.outsidersUntilMs();
    if (wantedUntilMs <= nowMs) {
      this.placesRestUntilMs = [];
      return true;
    }
    this.serveAt(Math.min(wantedUntilMs, ...this.placesRestUntilMs));
    return false;
  }

  /** Until when callers want the process of whom this queue knows nothing. */
  private outsidersUntilMs(): number {
    return this.demand.untilMs(({ key }) => !this.members.has(key));
  }

  /** Whose turn it is; null, if all that wait rest or are being served. */
  private next(): Member | null {
    const nowMs = performance.now();
    let next: Member | null = null;
    let soonestMs = Number.POSITIVE_INFINITY;
    for (const member of this.line) {
      if (member.running >= this.options.atOnce.ofCaller) continue;
      const dueMs = this.dueMs(member, nowMs);
      if (dueMs > nowMs) soonestMs = Math.min(soonestMs, dueMs);
      else if (!next || member.comesBefore(next)) next = member;
      if (next && this.hasUsedLeast(next)) break;
    }
    if (!next) this.serveAt(soonestMs);
    return next;
  }

  /** When a member may be served: at once, unless it rests, or its organization does, and others want the process. */
  private dueMs(member: Member, nowMs: number): number {
    const { group } = member;
    const restsUntilMs = member.restsUntilMs - (this.options.burstMs ?? 0);
    const ofCaller = restsUntilMs > nowMs ? Math.min(restsUntilMs, this.othersUntilMs(member)) : 0;
    const ofGroup =
      group.restsUntilMs > nowMs ? Math.min(group.restsUntilMs, this.organizationsUntilMs(member)) : 0;
    return Math.max(ofCaller, ofGroup);
  }

  private othersUntilMs(member: Member): number {
    const { key } = member.caller;
    return this.demand.untilMs((other) => other.key !== key && this.hasUsedLess(other, member));
  }

  private organizationsUntilMs(member: Member): number {
    const { organization } = member.caller;
    if (organization === undefined) return 0;
    return this.demand.untilMs(
      (other) =>
        other.organization !== undefined &&
        other.organization !== organization &&
        this.hasUsedLess(other, member),
    );
  }

  /** Nobody rests for whoever has used as much: both would, and the places would stay empty. */
  private hasUsedLess({ key }: Caller, member: Member): boolean {
    return this.members.get(key)?.comesBefore(member) ?? true;
  }

  private hasUsedLeast({ usedMs, group }: Member): boolean {
    return usedMs <= group.floorMs && (this.groups.size === 1 || group.usedMs <= this.floorMs);
  }

  /** Looks again when the first rest is over: by then, others may have asked for more, or for nothing. */
  private serveAt(dueMs: number): void {
    if (dueMs >= this.wakesAtMs) return;
    this.wakesAtMs = dueMs;
    setTimeout(
      () => {
        if (this.wakesAtMs === dueMs) this.wakesAtMs = Number.POSITIVE_INFINITY;
        // What others have asked meanwhile is read first.
        setImmediate(() => this.serve());
      },
      Math.ceil(dueMs - performance.now()),
    ).unref();
  }

  private finish(member: Member, ms: number, tookMs: number): void {
    const { group } = member;
    const { placeRest = 0 } = this.options.besideOthers ?? {};
    const nowMs = performance.now();
    member.running -= 1;
    this.running -= 1;
    group.asked -= 1;
    member.usedMs += ms;
    group.usedMs += ms;
    if (this.othersUntilMs(member) > nowMs) member.rest(nowMs, ms);
    if (this.organizationsUntilMs(member) > nowMs) group.rest(nowMs, ms * groupRest);
    if (placeRest > 0 && this.waiting > 0) this.placesRestUntilMs.push(nowMs + placeRest * tookMs);
    this.serve();
    const isEmpty = this.running === 0 && this.waiting === 0;
    if (!isEmpty && this.members.size < this.membersMax) return;
    this.forget(nowMs, isEmpty);
    this.membersMax = Math.max(1000, 2 * this.members.size);
  }

  /** Where nothing is wanted any more, it does not matter who has used what. */
  private forget(nowMs: number, isEmpty: boolean): void {
    for (const [key, member] of this.members) {
      const { group } = member;
      const rests = Math.max(member.restsUntilMs, group.restsUntilMs) > nowMs;
      const hasUsedMore = group.asked === 0 ? group.usedMs > this.floorMs : member.usedMs > group.floorMs;
      if (rests || !member.isIdle || (hasUsedMore && !isEmpty)) continue;
      this.members.delete(key);
      group.members -= 1;
      if (group.members === 0) this.groups.delete(group.key);
    }
  }
}
